import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { weftKinds } from '@weft/api'
import { createClient, type CustomResourceDefinition, customResourceDefinitionKind, parseKubeconfig } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { createLog } from '@weft/runtime'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startControlPlane } from './control-plane.ts'
import { installKinds } from './install-kinds.ts'
import { installOnKubernetes } from './kubernetes/install.ts'
import { startOnKubernetes } from './kubernetes/start-on-kubernetes.ts'
import { surveyInstallation } from './kubernetes/survey.ts'
import { newerKind, NewerKindsError } from './newer-kinds.ts'
import { OWN_RELEASE, RELEASE } from './releases.ts'

const COMPOSITIONS = 'compositions.apiextensions.crossplane.io'
const wanted = weftKinds.find(({ metadata }) => metadata.name === COMPOSITIONS)
if (wanted === undefined) throw new Error('there are no compositions')
const manifests = { namespace: 'crossplane-system', image: 'weft:test', replicas: 1, args: [], resources: {} }

/** What a release to come might make of a kind: v1 is gone, and another version serves instead. */
const takeVersionAway = (crd: CustomResourceDefinition): object => ({
  metadata: { annotations: { [RELEASE]: '99.0.0' } },
  spec: {
    versions: crd.spec.versions.map((version) =>
      version.name === 'v1' ? { ...version, served: false } : version.storage ? version : { ...version, storage: false },
    ),
  },
})
const words = [
  `Release ${OWN_RELEASE} of Weft cannot work here`,
  `Composition (${COMPOSITIONS}) is of release 99.0.0 and lacks v1; it is served as v1alpha1`,
  'Upgrade this replica to release 99.0.0',
]
const refusal = async (promise: Promise<unknown>): Promise<NewerKindsError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof NewerKindsError) return error
  throw new Error('it was not refused', { cause: error })
}

describe('which kinds of a newer release cannot be worked with', () => {
  const installed = (release: string, versions: readonly object[]): CustomResourceDefinition =>
    ({
      ...wanted,
      metadata: { ...wanted.metadata, annotations: { ...wanted.metadata.annotations, [RELEASE]: release } },
      spec: { ...wanted.spec, versions },
    }) as unknown as CustomResourceDefinition
  const [alpha, v1] = wanted.spec.versions as readonly { name: string; served: boolean }[]
  const none: readonly string[] | undefined = undefined

  it.each<[string, string, readonly object[], readonly string[] | undefined]>([
    ['it serves all of ours', '99.0.0', [{ ...alpha }, { ...v1 }, { ...v1, name: 'v2' }], none],
    ['one of ours is gone', '99.0.0', [{ ...v1 }, { ...v1, name: 'v2' }], ['v1alpha1']],
    ['one of ours is there, and not served', '99.0.0', [{ ...alpha }, { ...v1, served: false }], ['v1']],
    ['an older release has less: it is brought up to date', '0.0.1', [{ ...alpha }], none],
    ['nobody marked it: it is brought up to date', 'x', [{ ...alpha }], none],
  ])('%s', (_reason, release, versions, expected) => {
    expect(newerKind(installed(release, versions), wanted, '0.1.0')?.missing).toEqual(expected)
  })
})

describe('a replica that meets kinds of a newer release', () => {
  let server: TestServer
  let dataDir: string
  beforeEach(async () => {
    server = await startTestServer()
    dataDir = await mkdtemp(join(tmpdir(), 'weft-newer-'))
  })
  afterEach(async () => {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const upgrade = async (client: TestServer['client']): Promise<void> => {
    const crd = await client.get(customResourceDefinitionKind, { name: COMPOSITIONS })
    await client.patch(customResourceDefinitionKind, { name: COMPOSITIONS }, { type: 'merge', body: takeVersionAway(crd) })
  }
  const start = async () =>
    startOnKubernetes({
      connection: await parseKubeconfig((await server.listen()).kubeconfig),
      namespace: 'crossplane-system',
      log: createLog({ level: 'error', sink: () => undefined }),
      dataDir,
      providers: ['nop'],
      leaderElection: false,
      health: { host: '127.0.0.1', port: 0 },
    })

  it('on Kubernetes refuses to start and to install, says why, and changes nothing', async () => {
    await installKinds(server.client)
    await upgrade(server.client)
    const state = async () => (await server.client.list(customResourceDefinitionKind)).items.map(({ metadata }) => metadata.resourceVersion)
    const before = await state()
    for (const attempt of [start, () => installOnKubernetes(server.client, manifests)]) {
      const { message } = await refusal(attempt())
      for (const each of words) expect(message).toContain(each)
    }
    expect(await state()).toEqual(before)
    expect(await server.client.find({ group: '', kind: 'Namespace' }, { name: 'crossplane-system' })).toBeUndefined()
    expect((await surveyInstallation(server.client, manifests)).newer).toMatchObject([{ release: '99.0.0', missing: ['v1'] }])
  })

  it('on Kubernetes, already at work: it is not ready and says why, and is ready again when the version is', async () => {
    const replica = await start()
    try {
      const ready = async () => {
        const response = await fetch(`http://127.0.0.1:${replica.healthPort ?? 0}/readyz`)
        return { status: response.status, text: await response.text() }
      }
      await eventually(async () => expect((await ready()).status).toBe(200))
      await upgrade(server.client)
      await eventually(async () => {
        const { status, text } = await ready()
        expect(status).toBe(503)
        for (const each of words) expect(text).toContain(each)
      })
      const crd = await server.client.get(customResourceDefinitionKind, { name: COMPOSITIONS })
      const versions = crd.spec.versions.map((version) => ({ ...version, served: true }))
      await server.client.patch(customResourceDefinitionKind, { name: COMPOSITIONS }, { type: 'merge', body: { spec: { versions } } })
      await eventually(async () => expect((await ready()).status).toBe(200))
    } finally {
      await replica.stop()
    }
  })

  it('embedded, it is not ready while it runs, and refuses to start again on that data', async () => {
    const lines: string[] = []
    const options = { dataDir, providers: ['nop'], log: (_level: string, message: string) => void lines.push(message) }
    const plane = await startControlPlane(options)
    try {
      const transport = inProcessTransport(plane.api, { username: 'root', groups: ['system:masters', 'system:authenticated'] })
      const client = createClient({ transport, fieldManager: 'test' })
      const readyz = (path = '') => transport.request({ verb: 'read', path: `/readyz${path}` })
      await expect(readyz()).resolves.toBeDefined()
      await upgrade(client)
      await eventually(async () => {
        await expect(readyz('?verbose')).rejects.toThrow('[-]kinds failed')
        for (const each of words) await expect(readyz('/kinds')).rejects.toThrow(each)
      })
      for (const each of words) expect(lines.join('\n')).toContain(each)
    } finally {
      await plane.stop()
    }
    const { message } = await refusal(startControlPlane(options))
    for (const each of words) expect(message).toContain(each)
  })
})
