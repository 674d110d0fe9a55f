import type { Condition, KubeObject } from '@weft/api'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { type BuiltPackage, parseSource, pushImage } from '@weft/xpkg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { PASSWORD, type RegistryProcess, startRegistry } from './registry-process.ts'
import { samplePackage } from './sample-package.ts'

const CONFIGURATION = { group: 'pkg.crossplane.io', kind: 'Configuration' }
const REVISION = { group: 'pkg.crossplane.io', kind: 'ConfigurationRevision' }
const COMPOSITION = { group: 'apiextensions.crossplane.io', kind: 'Composition' }
const PATIENCE = { timeoutMs: 75_000 }

let registry: RegistryProcess
let proxy: FaultProxy
let plane: TestControlPlane
beforeAll(async () => {
  registry = await startRegistry()
  proxy = await startFaultProxy(registry.host)
  plane = await startControlPlane()
}, 180_000)
afterAll(async () => {
  await plane.stop()
  await proxy.stop()
  await registry.stop()
})
afterEach(() => void (proxy.fault = () => undefined))

async function push({ image }: BuiltPackage, reference: string, host = registry.host): Promise<void> {
  const target = parseSource(`${host}/${reference}`)
  if (target.kind !== 'image') throw new Error(`${reference} is not an image`)
  await pushImage(image, target.image, { credentials: async () => ({ username: 'user', password: PASSWORD }) })
}

const install = (name: string, image: string, spec: object = {}): Promise<KubeObject> =>
  plane.client.apply(
    { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name }, spec: { package: image, ...spec } },
    { force: true },
  )

const conditionOf = (object: KubeObject | undefined, type: string): Condition | undefined =>
  ((object?.['status'] ?? {}) as { conditions?: readonly Condition[] }).conditions?.find((condition) => condition.type === type)

/** Waits until the package says what is expected of it; answers it. */
async function until(name: string, check: (object: KubeObject | undefined) => void): Promise<void> {
  await eventually(async () => check(await plane.client.find(CONFIGURATION, { name })), PATIENCE)
}

const isHealthy = (object: KubeObject | undefined): void => {
  for (const type of ['Installed', 'Healthy']) {
    const { status, message } = conditionOf(object, type) ?? {}
    expect(`${type} ${status} ${message}`).toContain(`${type} True`)
  }
}

/** What the composition of the sample says: which of its contents is in effect. */
const noteOf = async (name: string): Promise<string | undefined> =>
  (await plane.client.find(COMPOSITION, { name }))?.metadata.annotations?.['note']

describe('packages of a real registry', () => {
  it('are installed, upgraded, downgraded and uninstalled', async () => {
    const [one, two] = [await samplePackage({ name: 'cycle', note: 'one' }), await samplePackage({ name: 'cycle', note: 'two' })]
    await push(one, 'live/cycle:v1.0.0')
    await push(two, 'live/cycle:v2.0.0')
    await install('cycle', `${registry.host}/live/cycle:v1.0.0`)
    await until('cycle', isHealthy)
    const uid = (await plane.client.find(COMPOSITION, { name: 'cycle' }))?.metadata.uid
    for (const [version, note] of [
      ['v2.0.0', 'two'],
      ['v1.0.0', 'one'],
    ]) {
      await install('cycle', `${registry.host}/live/cycle:${version}`)
      await eventually(async () => expect(await noteOf('cycle')).toBe(note), PATIENCE)
      await until('cycle', isHealthy)
    }
    expect((await plane.client.find(COMPOSITION, { name: 'cycle' }))?.metadata.uid).toBe(uid)
    const active = (await plane.client.list(REVISION, { labels: 'pkg.crossplane.io/package=cycle' })).items.filter(
      (each) => (each['spec'] as { desiredState: string }).desiredState === 'Active',
    )
    expect(active.map((each) => (each['spec'] as { digest: string }).digest)).toEqual([one.digest])
    await plane.client.delete(CONFIGURATION, { name: 'cycle' })
    await eventually(async () => {
      expect(await plane.client.find(CONFIGURATION, { name: 'cycle' })).toBeUndefined()
      expect(await plane.client.find(COMPOSITION, { name: 'cycle' })).toBeUndefined()
    }, PATIENCE)
  })

  it('bring their dependencies, the newest that suit', async () => {
    for (const tag of ['v1.0.0', 'v1.5.0', 'v2.0.0']) await push(await samplePackage({ name: 'needed', note: tag }), `live/needed:${tag}`)
    await push(await samplePackage({ name: 'needing', dependsOn: { [`${registry.host}/live/needed`]: 'v1.x' } }), 'live/needing:v1.0.0')
    await install('needing', `${registry.host}/live/needing:v1.0.0`)
    await until('needing', isHealthy)
    expect(await noteOf('needed')).toBe('v1.5.0')
    const packages = (await plane.client.list(CONFIGURATION)).items.map((each) => (each['spec'] as { package: string }).package)
    expect(packages).toContain(`${registry.host}/live/needed:v1.5.0`)
  })

  it('that need what is not there are not installed, in no part', async () => {
    await push(await samplePackage({ name: 'lonely', dependsOn: { [`${registry.host}/live/needed`]: '>=v9.0.0' } }), 'live/lonely:v1.0.0')
    await install('lonely', `${registry.host}/live/lonely:v1.0.0`)
    await until('lonely', (object) => {
      const said = [conditionOf(object, 'Installed'), conditionOf(object, 'Healthy')].find((condition) => condition?.status === 'False')
      expect(said?.message).toContain('>=v9.0.0')
    })
    expect(await noteOf('lonely')).toBeUndefined()
  })

  it('in a private registry are pulled with a secret', async () => {
    const guarded = await startRegistry({ auth: 'password' })
    try {
      const built = await samplePackage({ name: 'private', note: 'mine' })
      await push(built, 'live/private:v1.0.0', guarded.host)
      await install('private', `${guarded.host}/live/private:v1.0.0`)
      await until('private', (object) => expect(conditionOf(object, 'Installed')).toMatchObject({ status: 'False' }))
      const config = JSON.stringify({ auths: { [guarded.host]: { username: 'user', password: PASSWORD } } })
      const data = { '.dockerconfigjson': Buffer.from(config).toString('base64') }
      await plane.client.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/dockerconfigjson',
        metadata: { name: 'pull', namespace: 'crossplane-system' },
        data,
      })
      await install('private', `${guarded.host}/live/private:v1.0.0`, { packagePullSecrets: [{ name: 'pull' }] })
      await until('private', isHealthy)
      const said = JSON.stringify([
        await plane.client.find(CONFIGURATION, { name: 'private' }),
        (await plane.client.list({ group: '', kind: 'Event' })).items,
        plane.lines,
      ])
      expect(said).not.toContain(PASSWORD)
    } finally {
      await guarded.stop()
    }
  })
})

describe('an upgrade over a bad line', () => {
  it.each([
    ['tampered', { kind: 'tamper' }, /digest/i],
    ['truncated', { kind: 'truncate' }, /.+/],
    ['failed', { kind: 'status', status: 503 }, /.+/],
    ['reset', { kind: 'reset' }, /.+/],
  ] as const)('that is %s changes nothing, says why, and goes through once the line is good', async (name, fault, says) => {
    const package_ = `line-${name}`
    await push(await samplePackage({ name: package_, note: 'one' }), `live/${package_}:v1.0.0`)
    await push(await samplePackage({ name: package_, note: 'two' }), `live/${package_}:v2.0.0`)
    await install(package_, `${proxy.host}/live/${package_}:v1.0.0`)
    await until(package_, isHealthy)
    proxy.fault = ({ path }) => (path.includes('/blobs/') ? fault : undefined)
    await install(package_, `${proxy.host}/live/${package_}:v2.0.0`)
    await until(package_, (object) => {
      const said = [conditionOf(object, 'Installed'), conditionOf(object, 'Healthy')].find((condition) => condition?.status !== 'True')
      expect(said?.message).toMatch(says)
    })
    expect(await noteOf(package_)).toBe('one')
    proxy.fault = () => undefined
    // A damaged package is not asked for again and again: whoever mended the line says so.
    const annotations = { 'crossplane.io/reconcile-requested-at': new Date().toISOString() }
    if (name === 'tampered')
      await plane.client.patch(CONFIGURATION, { name: package_ }, { type: 'merge', body: { metadata: { annotations } } })
    await eventually(async () => expect(await noteOf(package_)).toBe('two'), PATIENCE)
    await until(package_, isHealthy)
  })
})
