import type { ServedKind, Transport } from '@weft/client'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandFailure } from '../report.ts'
import { findKubeconfig } from './find-kubeconfig.ts'
import { createKindCatalog, findKind, rivals } from './kind-catalog.ts'

const served = (group: string, version: string, kind: string, more: Partial<ServedKind> = {}): ServedKind => ({
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  namespaced: true,
  verbs: ['get', 'list'],
  subresources: [],
  shortNames: [],
  categories: [],
  ...more,
})

const KINDS = [
  served('', 'v1', 'Secret'),
  served('', 'v1', 'Event', { shortNames: ['ev'] }),
  served('events.k8s.io', 'v1', 'Event', { shortNames: ['ev'] }),
  served('db.example.org', 'v1', 'Database', { shortNames: ['db'] }),
  served('db.example.org', 'v1beta1', 'Database', { shortNames: ['db'] }),
  served('sql.other.org', 'v1', 'Database'),
]

describe('words for kinds', () => {
  it.each([
    ['secrets', '', 'v1'],
    ['Secret', '', 'v1'],
    ['ev', '', 'v1'],
    ['events.events.k8s.io', 'events.k8s.io', 'v1'],
    ['db', 'db.example.org', 'v1'],
    ['databases', 'db.example.org', 'v1'],
    ['databases.sql.other.org', 'sql.other.org', 'v1'],
    ['databases.v1beta1.db.example.org', 'db.example.org', 'v1beta1'],
    ['database.sql', 'sql.other.org', 'v1'],
    ['secrets.v1', '', 'v1'],
  ])('%s', (word, group, version) => {
    expect(findKind(KINDS, word)).toMatchObject({ group, version })
  })

  it.each(['nothing', 'databases.nowhere.org', 'secrets.v2', ''])('knows no %j', (word) => {
    expect(findKind(KINDS, word)).toBeUndefined()
  })
})

describe('a word that kinds of several groups share', () => {
  const kinds = [...KINDS, served('pkg.crossplane.io', 'v1', 'Provider'), served('aws.example.org', 'v1', 'Provider')]

  it.each(['providers', 'provider', 'Provider'])('%s: the full names of all are said', (word) => {
    expect(rivals(kinds, word)).toEqual(['providers.pkg.crossplane.io', 'providers.aws.example.org'])
  })

  it.each([
    ['a full name', 'providers.aws.example.org'],
    ['the beginning of a group', 'providers.pkg'],
    ['two groups of Kubernetes', 'events'],
    ['two versions', 'db'],
    ['nothing', 'nothing'],
  ])('%s leaves no choice', (_, word) => {
    expect(rivals(kinds, word)).toEqual([])
  })

  it('is refused where one kind is meant', async () => {
    const resource = (kind: string) => ({
      resource: `${kind.toLowerCase()}s`,
      singularResource: kind.toLowerCase(),
      responseKind: { kind },
      scope: 'Cluster',
      verbs: ['list'],
    })
    const group = (name: string) => ({ metadata: { name }, versions: [{ version: 'v1', resources: [resource('Provider')] }] })
    const transport = {
      request: async ({ path }: { readonly path: string }) => ({
        status: 200,
        body: {
          kind: 'APIGroupDiscoveryList',
          items: path === '/api' ? [] : [group('pkg.crossplane.io'), group('aws.example.org')],
        },
        warnings: [],
      }),
    } as unknown as Transport
    const catalog = createKindCatalog(transport)
    await expect(catalog.resolve('providers')).rejects.toThrow(
      '"providers" means several kinds: say which one, providers.pkg.crossplane.io or providers.aws.example.org',
    )
    expect(await catalog.resolve('providers.aws.example.org')).toMatchObject([{ group: 'aws.example.org' }])
  })
})

describe('the kubeconfig', () => {
  let root = ''
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'weft-kubeconfig-'))
    for (const folder of ['data', 'home/.kube']) await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, 'data', 'kubeconfig'), '')
    await writeFile(join(root, 'home', '.kube', 'config'), '')
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it('is the first of: option, data directory, environment, .weft here, home', async () => {
    const data = join(root, 'data')
    const home = join(root, 'home')
    const env = { KUBECONFIG: 'a:b' }
    expect(findKubeconfig({ kubeconfig: 'k', dataDir: data }, env, home)).toEqual({ paths: ['k'] })
    expect(findKubeconfig({ dataDir: data }, env, home)).toEqual({ paths: [join(data, 'kubeconfig')], dataDir: data })
    expect(findKubeconfig({}, env, home)).toEqual({ paths: ['a', 'b'] })
    // Not in the working directory of the tests, which may well be one in which somebody ran `weft up`.
    expect(findKubeconfig({}, {}, home, root)).toEqual({ paths: [join(home, '.kube', 'config')] })
    expect(() => findKubeconfig({}, {}, join(root, 'nowhere'), root)).toThrow(CommandFailure)
    const here = join(root, '.weft')
    await mkdir(here)
    await writeFile(join(here, 'kubeconfig'), '')
    expect(findKubeconfig({}, {}, home, root)).toEqual({ paths: [join(here, 'kubeconfig')], dataDir: here })
    expect(() => findKubeconfig({ dataDir: join(root, 'nowhere') }, {}, home)).toThrow(/weft up --data-dir/)
  })
})
