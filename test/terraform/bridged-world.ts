import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '../../packages/api/src/index.ts'
import { Bridge, fileJournal, type Point } from '../../packages/bridge/src/index.ts'
import { type Connector, type ManagedKind, type ManagedResource, openWorld, type World } from '../../packages/provider-sdk/src/index.ts'
import { silentLog } from '../../packages/runtime/src/index.ts'
import { askSchema, bridgedProvider, NO_OVERLAY, ProviderPool, readStoredSchema } from '../../packages/terraform/src/index.ts'
import { startTestServer } from '../../packages/testing/src/index.ts'

const GROUP = 'things.weft.test'
const silent = { write: () => undefined }

/** Things of a test provider as managed resources of an API server. */
export interface BridgedWorld extends World {
  readonly directory: string
  thing(name: string, forProvider: object, more?: object): ManagedResource
  /** What was done, in order: `create a`. */
  operations(): string[]
  things(): string[]
  /** Changes what there is behind our back. */
  drift(name: string, from: string, to: string): void
  remove(name: string): void
  states(): Promise<readonly KubeObject[]>
  /** Of the control plane. */
  readonly home: string
  /** Called between the steps of a change; what never resolves keeps it there until `crash`. */
  readonly faults: { atPoint?: ((point: Point, name: string) => Promise<void>) | undefined }
  /** What the journal has. */
  journal(): string[]
  /** As if the machine had been switched off: nothing that was under way comes to an end here. */
  crash(): Promise<void>
  close(): Promise<void>
}

const definition = (kind: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind, listKind: `${kind}List`, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

export async function openBridgedWorld(program: string, type: string, tune: Partial<ManagedKind> = {}): Promise<BridgedWorld> {
  const root = mkdtempSync(join(tmpdir(), 'wtf'))
  const directory = mkdtempSync(join(tmpdir(), 'weft-things-'))
  const server = await startTestServer()
  const schema = readStoredSchema(await askSchema(program, { log: silent, root }))
  const programHash = createHash('sha256').update(program).digest('hex')
  let pool = new ProviderPool({ log: () => silent, root, backoff: { baseMs: 10, maxMs: 100 } })
  const journalDir = join(root, 'journal')
  const faults: BridgedWorld['faults'] = {}
  const newBridge = (): Bridge =>
    new Bridge(pool, {
      journal: fileJournal(journalDir),
      reached: async (point, { metadata }) => faults.atPoint?.(point, metadata.name ?? ''),
    })
  let bridge = newBridge()
  const provider = bridgedProvider(
    {
      address: { host: 'weft.test', namespace: 'test', type: 'things' },
      version: '1.0.0',
      hash: programHash,
      program,
      programHash,
      trust: 'built here',
    },
    schema,
    NO_OVERLAY,
  )
  const configKind = { group: GROUP, kind: 'ProviderConfig' }
  const kindOf = (kind: string, sort: 'resource' | 'data'): ManagedKind => ({
    group: GROUP,
    kind,
    configKinds: [configKind],
    externalNames: 'assigned',
    connector: {
      release: (resource, context) => bridge.release(resource, context.client),
      systemOf: async (resource, context) => (await connectorOf(sort).systemOf?.(resource, context)) ?? '',
      connect: (resource, context) => connectorOf(sort).connect(resource, context),
    },
  })
  /** Of the bridge of now: it is another one after a crash. */
  const connectorOf = (sort: 'resource' | 'data'): Connector => {
    const found = provider.kind({ sort, name: type })
    if (found === undefined) throw new Error(`there is no type ${type}`)
    return bridge.connector({ ...found, provider: { ...provider, configKind } }, { graceMs: 0 })
  }
  const kinds = [kindOf('Thing', 'resource'), ...(schema.dataSources.has(type) ? [kindOf('ThingData', 'data')] : [])]
  const world = await openWorld({
    client: server.client,
    dataDir: root,
    log: silentLog,
    tune: { timeoutMs: 120_000, ...tune },
    provider: {
      name: 'provider-things',
      kinds,
      package: {
        metadata: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'provider-things' } },
        objects: [definition('Thing'), definition('ThingData'), definition('ProviderConfig')],
      },
    },
  })
  for (const name of ['crossplane-system', 'conformance', 'default'])
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await world.apply({
    apiVersion: `${GROUP}/v1`,
    kind: 'ProviderConfig',
    metadata: { name: 'default' },
    spec: { configuration: { directory } },
  } as KubeObject)
  const files = (): string[] => readdirSync(directory).filter((file) => file.endsWith('.json'))
  const fileOf = (name: string): string => join(directory, files().find((file) => file.startsWith(`${name}-`)) ?? 'missing')
  return Object.assign(world, {
    directory,
    home: root,
    faults,
    journal: () => (existsSync(journalDir) ? readdirSync(journalDir) : []),
    thing: (name: string, forProvider: object, more: object = {}): ManagedResource =>
      ({
        apiVersion: `${GROUP}/v1`,
        kind: 'Thing',
        metadata: { name },
        spec: { deletionPolicy: 'Delete', forProvider, ...more },
      }) as ManagedResource,
    operations: () =>
      readFileSync(join(directory, 'operations.log'), { encoding: 'utf8', flag: 'a+' })
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/-[0-9a-f]+$/, '')),
    things: () =>
      files()
        .map((file) => file.replace(/-[0-9a-f]+\.json$/, ''))
        .sort(),
    drift: (name: string, from: string, to: string) => writeFileSync(fileOf(name), readFileSync(fileOf(name), 'utf8').replace(from, to)),
    remove: (name: string) => rmSync(fileOf(name)),
    states: async () =>
      (await server.client.list({ group: '', kind: 'Secret' }, { namespace: 'crossplane-system' })).items.filter(
        ({ metadata }) => metadata.name?.startsWith('terraform-state-') === true,
      ),
    async crash() {
      await pool.close()
      pool = new ProviderPool({ log: () => silent, root, backoff: { baseMs: 10, maxMs: 100 } })
      bridge = newBridge()
      await world.restart()
    },
    async close() {
      await world.stop()
      await bridge.close()
      await server.close()
      for (const path of [root, directory]) rmSync(path, { recursive: true, force: true })
    },
  })
}
