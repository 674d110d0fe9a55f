import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { askDefinition, askPlans, type Client, createClient } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { planChange, type PlannedChange } from '../../packages/plan/src/index.ts'
import { inProcessTransport } from '../../packages/plane/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { explainCommand } from '../../packages/cli/src/commands/explain.ts'
import { typesCommand } from '../../packages/cli/src/commands/types.ts'
import { formatPlan } from '../../packages/cli/src/commands/plan/format-plan.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`plans of Terraform providers are not tried: ${skipped}`)

const GROUP = 'weftsdk.test.weft.dev.tf.weft.dev'
const THING = { group: GROUP, kind: 'Thing' }
const PASSWORD = 'sentinel-91bd-password'

describe.skipIf(skipped !== undefined)('a plan asks the providers', () => {
  const providers = built as TerraformProviders
  let things: string
  let client: Client
  let world: ProviderPlane | undefined
  const as = (username: string): Client =>
    createClient({
      transport: inProcessTransport((world as ProviderPlane).plane.api, { username, groups: ['system:authenticated'] }),
      fieldManager: 'test',
    })

  beforeAll(async () => {
    world = await openProviderPlane([dirname(providers.sdk)])
    ;({ things, client } = world)
    await world.install('things', 'weft.dev/test/weftsdk', providers.sdk)
    await client.create({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'things' },
      spec: { activate: [`things.${GROUP}`] },
    })
    for (const object of [
      {
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'ProviderConfig',
        metadata: { name: 'default' },
        spec: { configuration: { directory: things } },
      },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'default', name: 'password' },
        data: { word: Buffer.from(PASSWORD).toString('base64') },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'InfrastructureDefinition',
        metadata: { name: 'boxes.platform.example.org' },
        spec: {
          defaultComposition: { name: 'box' },
          crdSpecTemplate: {
            group: 'platform.example.org',
            version: 'v1alpha1',
            names: { kind: 'Box', listKind: 'BoxList', plural: 'boxes', singular: 'box' },
            validation: {
              openAPIV3Schema: {
                type: 'object',
                properties: { size: { type: 'integer' }, title: { type: 'string' }, config: { type: 'string' } },
              },
            },
          },
        },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'InfrastructurePublication',
        metadata: { name: 'boxes.platform.example.org' },
        spec: { infrastructureDefinitionReference: { name: 'boxes.platform.example.org' } },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'Composition',
        metadata: { name: 'box' },
        spec: {
          from: { apiVersion: 'platform.example.org/v1alpha1', kind: 'Box' },
          to: [
            {
              base: {
                apiVersion: `${GROUP}/v1alpha1`,
                kind: 'Thing',
                spec: { forProvider: { passwordSecretRef: { namespace: 'default', name: 'password', key: 'word' } } },
              },
              patches: [
                { fromFieldPath: 'spec.title', toFieldPath: 'spec.forProvider.name' },
                { fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.size' },
                { fromFieldPath: 'spec.config', toFieldPath: 'spec.providerConfigRef.name' },
              ],
            },
          ],
        },
      },
    ])
      await eventually(() => client.apply(object as KubeObject))
    for (const kind of [THING, { group: 'platform.example.org', kind: 'BoxRequirement' }]) await eventually(() => client.list(kind))
  }, 900_000)
  afterAll(() => world?.close())

  const operations = (): string => readFileSync(join(things, 'operations.log'), { encoding: 'utf8', flag: 'a+' })
  const box = (spec: object): KubeObject => ({
    apiVersion: 'platform.example.org/v1alpha1',
    kind: 'BoxRequirement',
    metadata: { name: 'mine', namespace: 'default' },
    spec,
  })
  const thing = (name: string, forProvider: object): KubeObject => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Thing',
    metadata: { name },
    spec: { forProvider },
  })
  /** The part of the plan about the thing, and all of it as people see it. */
  async function planned(object: KubeObject): Promise<{ change: PlannedChange | undefined; text: string; warnings: readonly string[] }> {
    const plan = await planChange(client, { apply: [object] }, { fieldManager: 'test' })
    return { change: plan.changes.find(({ object: { kind } }) => kind === 'Thing'), text: formatPlan(plan), warnings: plan.warnings }
  }

  test('down from a claim: created, changed in place, replaced; and nothing happens', async () => {
    const fresh = await planned(box({ title: 'first', size: 2 }))
    expect(fresh.change?.provider, JSON.stringify(fresh.change?.provider)).toMatchObject({ action: 'create' })
    expect(fresh.text).toContain('the provider would create it')
    expect(fresh.text).toMatch(/id: \(known after apply\)/)
    expect(fresh.text).toMatch(/token: \(sensitive\)/)
    expect(JSON.stringify(fresh)).not.toContain(PASSWORD)
    expect(operations(), 'no create was called').toBe('')
    expect((await client.list(THING)).items).toEqual([])

    await client.apply(box({ title: 'first', size: 2 }))
    await eventually(async () => {
      const [made] = (await client.list(THING)).items
      expect(made && findCondition(conditionsOf(made), 'Ready')?.status).toBe('True')
    })
    const done = operations()
    const larger = await planned(box({ title: 'first', size: 5 }))
    expect(larger.change).toMatchObject({
      action: 'update',
      provider: { action: 'update', fields: [{ path: 'size', before: 2, after: 5 }], causes: [] },
    })
    const other = await planned(box({ title: 'second', size: 2 }))
    expect(other.change?.provider).toMatchObject({ action: 'replace', causes: ['name'] })
    expect(other.text).toMatch(/the provider cannot change name in place/)
    expect(other.text).toMatch(/name: first → second/)
    expect(other.text).toMatch(/id: \S+ → \(known after apply\)/)
    expect(JSON.stringify([larger, other])).not.toContain(PASSWORD)
    const same = await planned(box({ title: 'first', size: 2 }))
    expect(same.change).toBeUndefined()
    expect(operations()).toBe(done)
  }, 180_000)

  test('what cannot be told is said, not guessed', async () => {
    const missing = await planned(box({ title: 'first', size: 3, config: 'absent' }))
    expect(missing.change?.provider).toMatchObject({ action: 'unknown', why: expect.stringContaining('ProviderConfig') as string })
    expect(missing.text).toContain('what the provider would do is not known')
    const wrong = await planned(thing('wrong', { name: 'x', size: 1.5 }))
    expect(wrong.change?.provider).toMatchObject({ action: 'unknown', why: expect.stringContaining('whole number') as string })
    const later = await planned(thing('later', { name: 'x', passwordSecretRef: { namespace: 'default', name: 'not-there-yet', key: 'k' } }))
    expect(later.change?.provider).toMatchObject({ action: 'create' })
  }, 180_000)

  test('kinds that are not active are explained and typed, from what their provider says', async () => {
    const output = async (command: typeof explainCommand, words: string[]): Promise<string> => {
      let text = ''
      const spy = vi.spyOn(process.stdout, 'write').mockImplementation((part) => ((text += String(part)), true))
      try {
        const run = async (action: () => Promise<number>): Promise<void> => void (await action())
        await command(run).parseAsync([...words, '--kubeconfig', world?.plane.kubeconfigPath ?? ''], { from: 'user' })
      } finally {
        spy.mockRestore()
      }
      return text
    }
    expect(await output(explainCommand, ['thingdatasource.spec.forProvider'])).toMatch(/id\s+<string>/)
    expect(await output(explainCommand, ['weftsdk_thing.spec.forProvider'])).toMatch(/KIND: +Thing/)
    expect(await output(typesCommand, ['--kind', 'ThingDataSource'])).toContain('ThingDataSource')
    expect(await output(typesCommand, [])).not.toContain('ThingDataSource')
    expect(await client.find({ group: GROUP, kind: 'ThingDataSource' }, { name: 'x' }).catch(() => 'not served')).toBe('not served')
  }, 180_000)

  test('only for those who could write the object, and asks with nobody else’s rights', async () => {
    const question = { resources: [thing('x', { name: 'x' })] }
    await expect(askPlans(as('nobody').transport, question)).rejects.toMatchObject({ code: 403 })
    await client.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'asks' },
      rules: [{ nonResourceURLs: ['/weft/terraform/*'], verbs: ['get', 'post'] }],
    } as KubeObject)
    await client.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'asks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'asks' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'asker' }],
    } as KubeObject)
    await eventually(async () =>
      expect(await askPlans(as('asker').transport, question)).toEqual([
        { action: 'unknown', why: expect.stringContaining('you may not write things') as string },
      ]),
    )
    expect(await askDefinition(as('asker').transport, `things.${GROUP}`)).toMatchObject({ kind: 'ManagedResourceDefinition' })
  }, 180_000)
})
