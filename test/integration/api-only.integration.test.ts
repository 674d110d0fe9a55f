import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, customResourceDefinitionKind, httpTransport, parseKubeconfig } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FollowedCommand, followWeft, weft } from './weft-command.ts'

describe('weft up --api-only', () => {
  let folder: string
  let kubeconfig: string
  let up: FollowedCommand
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-api-only-'))
    kubeconfig = join(folder, 'kubeconfig')
    up = followWeft({ cwd: folder }, 'up', '--api-only', '--in-memory', '--port', '0', '--kubeconfig', kubeconfig)
    await up.until(/ready at/)
  })
  afterAll(async () => {
    await up?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('serves no kind of its own, and takes those of others under the same names', async () => {
    const transport = httpTransport(await parseKubeconfig(await readFile(kubeconfig, 'utf8')))
    const client = createClient({ transport })
    expect((await client.list(customResourceDefinitionKind)).items).toEqual([])
    // What Weft would refuse if these were its own compositions.
    await client.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'compositions.apiextensions.crossplane.io' },
      spec: {
        group: 'apiextensions.crossplane.io',
        scope: 'Cluster',
        names: { kind: 'Composition', plural: 'compositions', singular: 'composition', listKind: 'CompositionList' },
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    } as never)
    const foreign = { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Composition', metadata: { name: 'x' }, spec: { mine: 1 } }
    expect(await eventually(() => client.create(foreign))).toMatchObject({ spec: { mine: 1 } })
    await transport.close()
  })

  test('writes the kubeconfig where it is wanted, prints none, and serves no console', async () => {
    expect(await readFile(kubeconfig, 'utf8')).toContain('client-key-data')
    expect(up.output()).not.toMatch(/client-key-data|Console:/)
  })

  test('does not overwrite the kubeconfig of another cluster', async () => {
    const other = join(folder, 'other')
    await writeFile(other, 'apiVersion: v1\nkind: Config\ncurrent-context: production\n')
    const { code, output } = await weft('up', '--api-only', '--in-memory', '--port', '0', '--kubeconfig', other)
    expect(code).toBe(1)
    expect(output).toContain('name another file')
    expect(await readFile(other, 'utf8')).toContain('production')
  })
})

describe('weft up --api-only --serve', () => {
  let folder: string
  let kubeconfig: string
  let up: FollowedCommand
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-serve-'))
    kubeconfig = join(folder, 'kubeconfig')
    up = followWeft(
      { cwd: folder },
      ...['up', '--api-only', '--in-memory', '--port', '0', '--kubeconfig', kubeconfig, '--serve', 'apps/v1,batch/v1', 'policy/v1'],
    )
    await up.until(/ready at/)
  })
  afterAll(async () => {
    await up?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('stores the kinds that were named, with their defaults, their scale and their description, and no others', async () => {
    const transport = httpTransport(await parseKubeconfig(await readFile(kubeconfig, 'utf8')))
    const client = createClient({ transport })
    const labels = { app: 'a' }
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', namespace: 'default' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } } },
    }
    expect(await client.create(deployment)).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 1, strategy: { type: 'RollingUpdate' } },
      status: {},
    })
    const resource = { group: 'apps', version: 'v1', plural: 'deployments', namespace: 'default', name: 'a' }
    const scale = { ...resource, subresource: 'scale' }
    await transport.request({ verb: 'patch', resource: scale, patch: { type: 'merge', body: { spec: { replicas: 3 } } } })
    expect((await transport.request({ verb: 'get', resource: scale })).body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 3 },
      status: { selector: 'app=a' },
    })
    expect((await transport.request({ verb: 'get', resource })).body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 3 } })
    const document = (await transport.request({ verb: 'read', path: '/openapi/v3/apis/apps/v1' })).body
    expect(JSON.stringify(document)).toContain('io.k8s.api.core.v1.PodSpec')
    const groups = (await transport.request({ verb: 'read', path: '/apis' })).body as { groups: { name: string }[] }
    expect(groups.groups.map(({ name }) => name)).toEqual(expect.arrayContaining(['apps', 'batch', 'policy']))
    expect(groups.groups.map(({ name }) => name)).not.toContain('storage.k8s.io')
    await transport.close()
  })

  test('says what can be named, and that it is for --api-only', async () => {
    const unknown = await weft('up', '--api-only', '--in-memory', '--port', '0', '--serve', 'apps/v7')
    expect(unknown).toMatchObject({ code: 1, output: expect.stringMatching(/"apps\/v7" cannot be served: name all, or some of apps\/v1/) })
    const alone = await weft('up', '--in-memory', '--port', '0', '--serve', 'apps/v1')
    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining('--serve is for --api-only') })
  })
})
