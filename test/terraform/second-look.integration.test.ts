import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { askPlans, type Client } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { managedResourceDefinitionKind } from '../../packages/controllers/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`second looks at what Terraform providers made are skipped: ${skipped}`)

/** Of each provider every type of resources, with what it cannot be without, in the words of its kind. Those of real systems are in `world`. */
const PROVIDERS: readonly {
  readonly name: keyof TerraformProviders
  readonly source: string
  /** Of its ProviderConfig, where it needs one. */
  readonly configuration?: (directory: string) => object
  readonly kinds: Readonly<Record<string, (directory: string) => object>>
}[] = [
  {
    name: 'time',
    source: 'hashicorp/time',
    kinds: {
      Offset: () => ({ offsetDays: 7 }),
      Rotating: () => ({ rotationDays: 30 }),
      Sleep: () => ({ createDuration: '1ms' }),
      Static: () => ({}),
    },
  },
  {
    name: 'local',
    source: 'hashicorp/local',
    kinds: {
      File: (directory) => ({ filename: join(directory, 'file.txt'), content: 'hello' }),
      SensitiveFile: (directory) => ({ filename: join(directory, 'secret.txt'), contentSecretRef: WORD }),
    },
  },
  {
    name: 'sdk',
    source: 'weft.dev/look/weftsdk',
    configuration: (directory) => ({ directory }),
    kinds: { Thing: () => ({ name: 'sdk-thing', size: 3, tags: { a: 'b' }, rule: [{ port: 80, proto: 'tcp' }] }) },
  },
  {
    name: 'framework',
    source: 'weft.dev/look/weftframework',
    configuration: (directory) => ({ directory }),
    kinds: {
      Thing: () => ({ name: 'framework-thing', size: 3, any: [{ label: 'a' }, { label: 'b', level: 2 }] }),
      Named: () => ({ name: 'named' }),
      Plain: () => ({ name: 'plain' }),
      Leaky: () => ({ name: 'leaky' }),
    },
  },
]
const WORD = { namespace: 'default', name: 'word', key: 'word' }

describe.skipIf(skipped !== undefined)('after it was made, a second look plans nothing', () => {
  let world: ProviderPlane
  let client: Client
  beforeAll(async () => {
    world = await openProviderPlane([dirname((built as TerraformProviders).sdk)])
    ;({ client } = world)
    await client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'word' },
      stringData: { word: 'sentinel' },
    } as KubeObject)
  }, 900_000)
  afterAll(() => world?.close())

  const ready = (group: string, kind: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = await client.get({ group, kind }, { name: 'one' })
      for (const type of ['Ready', 'Synced'])
        expect(findCondition(conditionsOf(found), type), `${kind}: ${JSON.stringify(conditionsOf(found))}`).toMatchObject({
          status: 'True',
        })
      return found
    })

  test.each(PROVIDERS)(
    '$name: every type of its resources',
    async ({ name, source, configuration, kinds }) => {
      await world.install(name, source, (built as TerraformProviders)[name])
      const definitions = (await client.list(managedResourceDefinitionKind)).items.filter(
        ({ metadata }) => metadata.labels?.['pkg.crossplane.io/package'] === name,
      )
      const group = definitions[0]?.spec.group ?? ''
      const types = definitions.map(({ spec }) => String(spec.names['kind'])).filter((kind) => !kind.endsWith('DataSource'))
      // A type that is new is tried, too.
      expect(types.toSorted()).toEqual(Object.keys(kinds).toSorted())
      await client.create({
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name },
        spec: { activate: [`*.${group}`] },
      } as KubeObject)
      if (configuration !== undefined)
        await eventually(() =>
          client.create({
            apiVersion: `${group}/v1alpha1`,
            kind: 'ProviderConfig',
            metadata: { name: 'default' },
            spec: { configuration: configuration(world.things) },
          } as KubeObject),
        )
      for (const [kind, forProvider] of Object.entries(kinds))
        await eventually(() =>
          client.create({
            apiVersion: `${group}/v1alpha1`,
            kind,
            metadata: { name: 'one' },
            spec: { forProvider: forProvider(world.things) },
          } as KubeObject),
        )
      for (const kind of types) {
        const made = await ready(group, kind)
        // A look may be under way just then, and a plan says so.
        await eventually(async () => {
          const [plan] = (await askPlans(client.transport, { resources: [made] })) ?? []
          expect(plan, kind).toMatchObject({ action: 'none', fields: [] })
        })
      }
    },
    300_000,
  )
})
