import { findCondition, type KubeObject } from '@weft/api'
import { askFunction } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { type Plan, planChange, type PlanOptions } from '@weft/plan'
import {
  compositeDefinition,
  eventually,
  namedFunction,
  patchingStep,
  pipelineComposition,
  READY_STEP,
  startControlPlane,
  type TestControlPlane,
  waitFor,
} from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apply } from './plan-world.ts'

/** Composite resources, claims of them and pipelines in plans: with the very functions that the control plane asks. */
const GROUP = 'plans.example.org'
const VERSION = `${GROUP}/v1`
const NOP = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource' }

const xrd = (kind: string, more: object = {}, api: 'v1' | 'v2' = 'v2'): KubeObject =>
  compositeDefinition({ group: GROUP, kind, api, spec: { size: { type: 'integer' }, region: { type: 'string' } }, more })

const size = { type: 'FromCompositeFieldPath', fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' }
const nop = (name: string, patches: readonly object[] = [size]): object => ({
  name,
  base: { ...NOP, spec: { forProvider: { conditionAfter: [{ conditionType: 'Ready', conditionStatus: 'True', time: '0s' }] } } },
  patches,
})
const step = (name: string, fn: string, input?: object): object => ({
  step: name,
  functionRef: { name: fn },
  ...(input !== undefined && { input }),
})
const patching = (...resources: readonly object[]): object => patchingStep('make', ...resources)
const composition = (name: string, kind: string, ...pipeline: readonly object[]): KubeObject =>
  pipelineComposition(name, { apiVersion: VERSION, kind }, ...pipeline)
const object = (kind: string, name: string, spec: object, namespace?: string): KubeObject => ({
  apiVersion: VERSION,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  spec,
})

/** Composes one thing, as many times as large as the composite as its input says. */
const MODULE = `var functionModule = { default: ({ observed, input }) => ({ desired: { resources: { counter: { resource: {
  apiVersion: '${NOP.apiVersion}', kind: '${NOP.kind}',
  spec: { forProvider: { fields: { size: observed.composite.resource.spec.size * input.times } } },
} } } } }) }`
const TWICE = { apiVersion: 'functions.example.org/v1', kind: 'Input', times: 2 }

const PLATFORM: readonly KubeObject[] = [
  namedFunction('function-patch-and-transform'),
  namedFunction('function-auto-ready'),
  // Nobody listens there: port 9 throws away what it is sent, where there is one at all.
  namedFunction('function-elsewhere', 'localhost:9'),
  xrd('XShop', { scope: 'LegacyCluster', claimNames: { kind: 'Shop', plural: 'shops' } }, 'v1'),
  xrd('Store', { scope: 'Cluster' }),
  xrd('Stall', { scope: 'Cluster' }),
  xrd('Kiosk', { scope: 'Namespaced' }),
  xrd('Booth', { scope: 'Cluster' }),
  composition(
    'shop',
    'XShop',
    patching(nop('till'), {
      name: 'store',
      base: { apiVersion: VERSION, kind: 'Store' },
      patches: [{ type: 'FromCompositeFieldPath', fromFieldPath: 'spec.size', toFieldPath: 'spec.size' }],
    }),
    READY_STEP,
  ),
  composition('store', 'Store', patching(nop('shelf')), READY_STEP),
  composition('stall', 'Stall', step('ask', 'function-elsewhere'), READY_STEP),
  composition('booth', 'Booth', step('ask', 'function-module', TWICE), READY_STEP),
  composition(
    'kiosk',
    'Kiosk',
    patching({
      name: 'hours',
      base: { apiVersion: 'v1', kind: 'ConfigMap', data: {} },
      patches: [{ type: 'FromCompositeFieldPath', fromFieldPath: 'spec.region', toFieldPath: 'data.region' }],
    }),
    READY_STEP,
  ),
]

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane({
    functionModules: { find: (name) => (name === 'function-module' ? { code: MODULE, file: 'function.ts' } : undefined) },
  })
  await apply(plane.client, ...PLATFORM)
  for (const kind of ['Shop', 'Store', 'Stall', 'Kiosk', 'Booth'])
    await eventually(async () => expect(await plane.client.mapping({ group: GROUP, kind })).toBeDefined())
})
afterAll(() => plane.stop())

const plan = (change: Parameters<typeof planChange>[1], options?: PlanOptions): Promise<Plan> => planChange(plane.client, change, options)
const summary = ({ changes }: Plan): readonly string[] =>
  changes.map(({ action, depth, object: { kind, name } }) => `${' '.repeat(depth)}${action} ${kind} ${name}`)
const isReady = (found: KubeObject | undefined): boolean =>
  found !== undefined && findCondition(conditionsOf(found), 'Ready')?.status === 'True'
async function settled(given: KubeObject): Promise<KubeObject> {
  await apply(plane.client, given)
  const { name = '', namespace } = given.metadata
  return (await waitFor(plane.client, { group: GROUP, kind: given.kind }, { name, namespace }, isReady, {
    timeoutMs: 60_000,
  })) as KubeObject
}

describe('a plan of composite resources', () => {
  test('goes down from a claim through nested composites to what is composed', async () => {
    const planned = await plan({ apply: [object('Shop', 'new', { size: 3 }, 'default')] })
    expect(summary(planned)).toEqual([
      'create Shop new',
      ' create XShop new-(generated)',
      '  create NopResource new-(generated)-(generated)',
      '  create Store new-(generated)-(generated 2)',
      '   create NopResource new-(generated)-(generated 3)',
    ])
    expect(planned.changes.at(-1)?.after).toMatchObject({ spec: { forProvider: { fields: { size: 3 } } } })
    expect(planned.warnings).toEqual([])
  })

  test('tells an edit field by field, and what applying it then does', async () => {
    const claim = await settled(object('Shop', 'edited', { size: 1 }, 'default'))
    const change = { apply: [object('Shop', 'edited', { size: 2 }, 'default')] }
    expect((await plan({ apply: [object('Shop', 'edited', { size: 1 }, 'default')] })).changes).toEqual([])
    const planned = await plan(change)
    expect(planned.changes.map(({ object: { kind }, fields }) => [kind, fields])).toEqual([
      ['Shop', [{ path: 'spec.size', before: 1, after: 2 }]],
      ['XShop', [{ path: 'spec.size', before: 1, after: 2 }]],
      ['NopResource', [{ path: 'spec.forProvider.fields.size', before: 1, after: 2 }]],
      ['Store', [{ path: 'spec.size', before: 1, after: 2 }]],
      ['NopResource', [{ path: 'spec.forProvider.fields.size', before: 1, after: 2 }]],
    ])
    await apply(plane.client, ...change.apply)
    const members = planned.changes.filter(({ object: { kind } }) => kind === 'NopResource')
    for (const { object: ref, after } of members)
      await waitFor(plane.client, { group: 'nop.crossplane.io', kind: 'NopResource' }, { name: ref.name }, (found) => {
        const fields = (found as { spec?: { forProvider?: { fields?: object } } } | undefined)?.spec?.forProvider?.fields
        return (
          JSON.stringify(fields) === JSON.stringify((after as { spec?: { forProvider?: { fields?: object } } }).spec?.forProvider?.fields)
        )
      })
    expect(claim.metadata.uid).toBeDefined()
  })

  test('tells what an edit of a Composition does to those that are made by it, and what it takes away', async () => {
    await settled(object('Store', 'kept', { size: 1 }))
    const planned = await plan({ apply: [composition('store', 'Store', patching(nop('cupboard')), READY_STEP)] })
    const below = planned.changes.filter(({ object: { kind, name } }) => kind === 'NopResource' && name.startsWith('kept-'))
    expect(
      below.map(({ action, after, before }) => [
        action,
        (after ?? before)?.metadata.annotations?.['crossplane.io/composition-resource-name'],
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['create', 'cupboard'],
        ['delete', 'shelf'],
      ]),
    )
    // The uid of what exists is known, and so is the name that follows from it.
    expect(below.find(({ action }) => action === 'create')?.object.name).toMatch(/^kept-[0-9a-f]{12}$/)
    expect(summary(planned)).toContain(
      'create CompositionRevision ' + planned.changes.find(({ object: { kind } }) => kind === 'CompositionRevision')?.object.name,
    )
  })

  test('tells what goes with a claim', async () => {
    await settled(object('Shop', 'going', { size: 1 }, 'default'))
    const planned = await plan({ delete: [{ apiVersion: VERSION, kind: 'Shop', namespace: 'default', name: 'going' }] })
    expect(planned.changes.map(({ action, object: { kind } }) => `${action} ${kind}`)).toEqual([
      'delete Shop',
      'delete XShop',
      'delete NopResource',
      'delete Store',
      'delete NopResource',
    ])
  })

  test('knows kinds of Kubernetes that exist as members, in a namespace', async () => {
    await settled(object('Kiosk', 'corner', { region: 'north' }, 'default'))
    const planned = await plan({ apply: [object('Kiosk', 'corner', { region: 'south' }, 'default')] })
    expect(planned.changes.map(({ action, object: { kind }, fields }) => [action, kind, fields])).toEqual([
      ['update', 'Kiosk', [{ path: 'spec.region', before: 'north', after: 'south' }]],
      ['update', 'ConfigMap', [{ path: 'data.region', before: 'north', after: 'south' }]],
    ])
  })

  test('says which function cannot be asked, and guesses nothing', async () => {
    const elsewhere = await plan({ apply: [object('Stall', 'new', { size: 1 })] })
    expect(summary(elsewhere)).toEqual(['create Stall new'])
    expect(elsewhere.warnings.join()).toMatch(/Stall new: .*function-elsewhere.*localhost:9.*does not know/)
    const nobody = await plan({ apply: [object('Stall', 'new', { size: 1 })] }, { programs: 'any' })
    expect(summary(nobody)).toEqual(['create Stall new'])
    expect(nobody.warnings.join()).toMatch(/Stall new: .*function-elsewhere.*localhost:9.*does not know/)
    // Of one that exists, too: it failed in the copy before the change, and after it.
    await apply(plane.client, object('Stall', 'there', { size: 1 }))
    const changed = await plan({ apply: [object('Stall', 'there', { size: 2 })] })
    expect(changed.warnings.join()).toMatch(/Stall there: .*function-elsewhere/)
  })

  test('asks no program that only the change names, where the author need not have the right to name it', async () => {
    const change = [namedFunction('function-elsewhere', 'localhost:10'), object('Stall', 'new', { size: 1 })]
    const planned = await plan({ apply: change })
    expect(planned.warnings.join()).toMatch(/function-elsewhere is changed as well: it is called once the change is applied/)
  })

  test('asks a function that is a module where it runs, also for an edit of the Composition', async () => {
    const sizes = ({ changes }: Plan): readonly unknown[] =>
      changes.flatMap(({ object: { kind }, after }) => (kind === 'NopResource' ? [after?.['spec']] : []))
    const planned = await plan({ apply: [object('Booth', 'new', { size: 3 })] })
    expect(planned.warnings).toEqual([])
    expect(sizes(planned)).toMatchObject([{ forProvider: { fields: { size: 6 } } }])
    const edit = [
      composition('booth', 'Booth', step('ask', 'function-module', { ...TWICE, times: 5 })),
      object('Booth', 'new', { size: 3 }),
    ]
    expect(sizes(await plan({ apply: edit }))).toMatchObject([{ forProvider: { fields: { size: 15 } } }])
  })

  test('has functions asked what a Composition asks them, and anything else only for those who may write pipelines', async () => {
    const request = (input: object): object => ({ observed: { composite: { resource: { spec: { size: 1 } } } }, input })
    const ask = (input: object, options: Parameters<typeof askFunction>[2] = {}) =>
      askFunction(plane.transport, { function: 'function-module', request: request(input) }, options)
    const ada = { impersonate: { username: 'ada', groups: ['system:authenticated'] } }
    await eventually(async () => expect(await ask(TWICE, ada)).toHaveProperty('response.desired'))
    const other = { ...TWICE, times: 7 }
    expect(await ask(other, ada)).toMatchObject({
      error: { message: expect.stringMatching(/no Composition has a step that gives this input/) },
    })
    expect(await ask(other)).toHaveProperty('response.desired')
    await expect(ask(TWICE, { impersonate: { username: 'system:anonymous', groups: ['system:unauthenticated'] } })).rejects.toThrow(
      /forbidden/,
    )
    expect(await askFunction(plane.transport, { function: 'function-module', request: { input: 5 } })).toMatchObject({
      error: { message: expect.stringMatching(/not a RunFunctionRequest/) },
    })
  })

  test('shows functions no secret, and says so', async () => {
    const keyed = {
      ...patching(nop('till')),
      credentials: [{ name: 'key', source: 'Secret', secretRef: { namespace: 'default', name: 'key' } }],
    }
    const planned = await plan({
      apply: [composition('keyed', 'Stall', keyed), { ...object('Stall', 'keyed', { crossplane: { compositionRef: { name: 'keyed' } } }) }],
    })
    expect(planned.warnings.join()).toMatch(/Stall keyed: .*plans never look into secrets, and this step is given Secret default\/key/)
  })
})
