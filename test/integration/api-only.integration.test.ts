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
