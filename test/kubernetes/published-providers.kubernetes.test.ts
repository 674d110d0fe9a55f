import { dirname } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind, parseKubeconfig } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePublishedProvider, PUBLISHED } from '../published-providers/build.mjs'
import { openProviderPlane, type ProviderPlane } from '../terraform/provider-plane.ts'

/** Long enough for a provider of more than a thousand types on a busy machine. */
const PATIENCE = { timeoutMs: 600_000 }

const programs = new Map<string, string>()
for (const name of PUBLISHED) {
  const built = await ensurePublishedProvider(name)
  if ('skipped' in built) console.warn(`the published provider ${name} is not tried: ${built.skipped}`)
  else programs.set(name, built.program)
}

/** Providers that others wrote and publish, as they are. Nothing in Weft knows of them. */
describe.skipIf(programs.size === 0)('published Terraform providers', () => {
  let server: TestServer
  let plane: ProviderPlane
  let client: Client
  beforeAll(async () => {
    server = await startTestServer()
    plane = await openProviderPlane([...programs.values()].map((program) => dirname(program)))
    client = plane.client
  }, 300_000)
  afterAll(async () => {
    await plane?.close()
    await server?.close()
  })

  const groupOf = (name: string): string => `${name}.published.weft.dev.tf.weft.dev`
  const activate = (name: string, patterns: readonly string[]): Promise<KubeObject> =>
    client.apply(
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name },
        spec: { activate: patterns.map((pattern) => `${pattern}.${groupOf(name)}`) },
      } as KubeObject,
      { force: true },
    )

  describe.each(PUBLISHED)('%s', (name) => {
    it.skipIf(!programs.has(name))(
      'has types that all become kinds that kube-apiserver takes, too',
      async () => {
        await plane.install(name, `weft.dev/published/${name}`, programs.get(name) ?? '')
        await activate(name, ['*'])
        const kinds = await eventually(async () => {
          const { items } = await client.list({ group: 'apiextensions.crossplane.io', kind: 'ManagedResourceDefinition' })
          const own = items.filter((item) => item.metadata.name?.endsWith(`.${groupOf(name)}`) === true)
          expect(own.length).toBeGreaterThan(0)
          const missing = own.filter((item) => findCondition(conditionsOf(item), 'Established')?.status !== 'True')
          expect(missing.map((item) => [item.metadata.name, conditionsOf(item)])).toEqual([])
          return own
        }, PATIENCE)
        const { items } = await client.list(customResourceDefinitionKind)
        const definitions = items.filter(({ spec }) => spec.group === groupOf(name))
        expect(definitions.length).toBeGreaterThanOrEqual(kinds.length)
        const refused: string[] = []
        const left = [...definitions]
        const send = async (): Promise<void> => {
          for (let each = left.pop(); each !== undefined; each = left.pop()) {
            const { apiVersion, kind, metadata, spec } = each as unknown as KubeObject & { readonly spec: object }
            await server.client
              .create({ apiVersion, kind, metadata: { name: metadata.name }, spec } as KubeObject, { dryRun: true })
              .catch((error: unknown) => refused.push((error as Error).message))
          }
        }
        await Promise.all(Array.from({ length: 4 }, send))
        expect(refused).toEqual([])
      },
      900_000,
    )
  })

  describe.skipIf(!programs.has('kubectl'))('kubectl', () => {
    const API_VERSION = `${groupOf('kubectl')}/v1alpha1`
    const MANIFEST = { group: groupOf('kubectl'), kind: 'Manifest' }
    const SECRET = { group: '', kind: 'Secret' }
    const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
    const coloured = (name: string, colour: string): string =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data: { colour } })
    const secret = (name: string, data: Readonly<Record<string, string>>): KubeObject =>
      ({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name }, stringData: data }) as KubeObject
    const ready = (name: string): Promise<KubeObject> =>
      eventually(async () => {
        const found = await client.get(MANIFEST, { name })
        for (const type of ['Ready', 'Synced'])
          expect(findCondition(conditionsOf(found), type), JSON.stringify(conditionsOf(found))).toMatchObject({ status: 'True' })
        return found
      })

    // At the same time: what was just made and is gone is not made again at once, as it may only be late.
    it.concurrent.each(['Weft itself', 'kube-apiserver'])(
      'manages objects of %s: made, repaired, changed, replaced, found again, taken away',
      async (which) => {
        const embedded = which === 'Weft itself'
        const at = embedded ? 'weft' : 'kubernetes'
        const there = embedded ? client : server.client
        const {
          server: host,
          ca,
          cert,
          key,
          token,
        } = await parseKubeconfig(embedded ? plane.plane.kubeconfig : (await server.listen()).kubeconfig)
        const configuration = {
          host,
          cluster_ca_certificate: ca,
          client_certificate: cert,
          client_key: key,
          token,
          load_config_file: false,
        }
        await client.create(secret(`${at}-access`, { configuration: JSON.stringify(configuration) }))
        await eventually(() =>
          client.apply({
            apiVersion: API_VERSION,
            kind: 'ProviderConfig',
            metadata: { name: at },
            spec: { credentials: { source: 'Secret', secretRef: { namespace: 'default', name: `${at}-access`, key: 'configuration' } } },
          } as KubeObject),
        )
        const body = `${at}-body`
        const name = `${at}-colour`
        await client.create(secret(body, { yaml: coloured(name, 'red') }))
        const manifest = (own: string, more: { readonly annotations?: Readonly<Record<string, string>>; readonly spec?: object } = {}) =>
          ({
            apiVersion: API_VERSION,
            kind: 'Manifest',
            metadata: { name: own, ...(more.annotations && { annotations: more.annotations }) },
            spec: {
              providerConfigRef: { name: at },
              forProvider: { yamlBodySecretRef: { namespace: 'default', name: body, key: 'yaml' } },
              ...more.spec,
            },
          }) as KubeObject
        const colour = async (of: string): Promise<unknown> => (await there.find(CONFIG_MAP, { namespace: 'default', name: of }))?.['data']
        let looks = 0
        const look = async (): Promise<void> => {
          looks++
          const body = { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': String(looks) } } }
          await client.patch(MANIFEST, { name }, { type: 'merge', body })
        }

        await client.create(manifest(name))
        await ready(name)
        expect(await colour(name)).toEqual({ colour: 'red' })

        // A second look writes nothing there.
        const { resourceVersion } = (await there.get(CONFIG_MAP, { namespace: 'default', name })).metadata
        await look()
        await eventually(async () => expect((await ready(name))['status']).toMatchObject({ lastHandledReconcileAt: String(looks) }))
        expect((await there.get(CONFIG_MAP, { namespace: 'default', name })).metadata.resourceVersion).toBe(resourceVersion)

        // Drift, and somebody who takes it away.
        await there.patch(CONFIG_MAP, { namespace: 'default', name }, { type: 'merge', body: { data: { colour: 'grey' } } })
        await look()
        await eventually(async () => expect(await colour(name)).toEqual({ colour: 'red' }))
        await there.delete(CONFIG_MAP, { namespace: 'default', name })
        await look()
        await eventually(async () => expect(await colour(name)).toEqual({ colour: 'red' }))

        // In place, by a change of the Secret.
        const { uid } = (await there.get(CONFIG_MAP, { namespace: 'default', name })).metadata
        await client.patch(
          SECRET,
          { namespace: 'default', name: body },
          { type: 'merge', body: { stringData: { yaml: coloured(name, 'blue') } } },
        )
        await look()
        await eventually(async () => expect(await colour(name)).toEqual({ colour: 'blue' }))
        expect((await there.get(CONFIG_MAP, { namespace: 'default', name })).metadata.uid).toBe(uid)

        // Another name is another object: nothing is replaced that nobody allowed to be.
        const other = `${name}-2`
        await client.patch(
          SECRET,
          { namespace: 'default', name: body },
          { type: 'merge', body: { stringData: { yaml: coloured(other, 'blue') } } },
        )
        await look()
        await eventually(async () =>
          expect(findCondition(conditionsOf(await client.get(MANIFEST, { name })), 'Synced')).toMatchObject({ status: 'False' }),
        )
        expect(await colour(name)).toEqual({ colour: 'blue' })
        const { generation } = (await client.get(MANIFEST, { name })).metadata
        const allowed = { metadata: { annotations: { 'terraform.weft.dev/allow-replacement': String(generation) } } }
        await client.patch(MANIFEST, { name }, { type: 'merge', body: allowed })
        await eventually(async () => expect([await colour(name), await colour(other)]).toEqual([undefined, { colour: 'blue' }]))
        await ready(name)

        // One that exists already is found by the name that the provider imports by, and left as it is.
        await there.create(JSON.parse(coloured(`${at}-found`, 'green')) as KubeObject)
        const found = manifest(`${at}-found`, {
          annotations: { 'crossplane.io/external-name': `v1//ConfigMap//${at}-found//default` },
          spec: { managementPolicies: ['Observe'] },
        })
        await client.create(found)
        expect((await ready(`${at}-found`))['status']).toMatchObject({ atProvider: { kind: 'ConfigMap', name: `${at}-found` } })
        expect(await colour(`${at}-found`)).toEqual({ colour: 'green' })

        for (const each of [name, `${at}-found`]) await client.delete(MANIFEST, { name: each })
        await eventually(async () => expect((await client.list(MANIFEST)).items.map(({ metadata }) => metadata.name)).not.toContain(name))
        expect(await colour(other)).toBeUndefined()
        expect(await colour(`${at}-found`)).toEqual({ colour: 'green' })
        await there.delete(CONFIG_MAP, { namespace: 'default', name: `${at}-found` })
      },
      600_000,
    )
  })
})
