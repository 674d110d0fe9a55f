import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { Renderer } from './render-intent.ts'
import { RenderError, type Rendering } from './rendering.ts'

const apiVersion = 'example.org/v1'
const thing = (spec: object = {}) => ({ apiVersion: 'cloud.org/v1', kind: 'Thing', spec })

const definition = (more: object = {}, properties: object = { size: { type: 'integer', default: 2 } }): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'InfrastructureDefinition',
  metadata: { name: 'boxes.example.org' },
  spec: {
    crdSpecTemplate: {
      group: 'example.org',
      version: 'v1',
      names: { kind: 'Box', plural: 'boxes' },
      validation: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
    },
    ...more,
  },
})
const composition = (name: string, to: readonly object[], labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'Composition',
  metadata: { name, labels },
  spec: { from: { apiVersion, kind: 'Box' }, to },
})
const box = (spec: object = {}, name = 'b'): KubeObject => ({ apiVersion, kind: 'Box', metadata: { name }, spec })
const patched = { base: thing(), patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.gigabytes' }] }

const resourceClass = (name: string, claim = 'Claim', annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name, labels: { tier: 'any' }, annotations },
  spec: { claim: { apiVersion, kind: claim }, resource: { base: thing({ from: name }) } },
})
const claim = (spec: object = { classSelector: { matchLabels: { tier: 'any' } } }): KubeObject => ({
  apiVersion,
  kind: 'Claim',
  metadata: { name: 'c' },
  spec,
})

const render = (intent: KubeObject, others: readonly KubeObject[], observed: readonly KubeObject[] = []): Promise<Rendering> =>
  new Renderer([intent, ...others], { observed }).render(intent)
const only = ({ objects }: Rendering): KubeObject => objects[0]?.object as KubeObject

describe('rendering', () => {
  test('the same files give the same text, whatever their order', async () => {
    const files = [definition(), composition('c', [patched, patched])]
    const [a, b] = await Promise.all([render(box(), files), render(box(), files.toReversed())])
    expect(a).toEqual(b)
    expect(new Set(a.objects.map(({ object }) => object.metadata.name)).size).toBe(2)
  })

  test('another intent gets other names', async () => {
    const files = [definition(), composition('c', [patched])]
    const names = await Promise.all(['b', 'b2'].map(async (name) => only(await render(box({}, name), files)).metadata.name))
    expect(names[0]).toMatch(/^b-[a-z0-9]{5}$/)
    expect(names[1]?.slice(-5)).not.toBe(names[0]?.slice(-5))
  })

  test('defaults of the schema are there before patches read them', async () => {
    expect(only(await render(box(), [definition(), composition('c', [patched])]))['spec']).toEqual({ gigabytes: 2 })
  })

  test('every field has its origin', async () => {
    const { objects } = await render(box({ size: 7 }), [definition(), composition('c', [{ ...patched, base: thing({ fixed: true }) }])])
    const origins = new Map(objects[0]?.origins.map(({ path, from }) => [path, from]))
    expect(origins.get('spec.gigabytes')).toBe('Composition/c spec.to[0].patches[0]: spec.size → spec.gigabytes')
    expect(origins.get('spec.fixed')).toBe('Composition/c spec.to[0].base')
    expect(origins.get('metadata.name')).toBe('Weft: a generated name')
    expect(origins.get('metadata.labels[crossplane.io/composite]')).toMatch(/^Weft/)
  })

  test('a choice that is random on a server is made, and told', async () => {
    const several = await render(claim(), [resourceClass('b'), resourceClass('a')])
    expect(only(several)['spec']).toMatchObject({ from: 'a', classRef: { name: 'a' } })
    expect(several.notes.join()).toContain('any of ResourceClass/a, ResourceClass/b')
    const compositions = ['y', 'x'].map((name) => composition(name, [patched], { of: 'these' }))
    const selected = await render(box({ infrastructure: { compositionSelector: { matchLabels: { of: 'these' } } } }), [
      definition(),
      ...compositions,
    ])
    expect(selected.intent['spec']).toMatchObject({ infrastructure: { compositionRef: { name: 'x' } } })
    expect(selected.notes.join()).toContain('any of x, y')
  })

  test('S8: the default class, when nothing is asked for', async () => {
    const classes = [resourceClass('a'), resourceClass('d', 'Claim', { 'resourceclass.crossplane.io/is-default-class': 'true' })]
    expect(only(await render(claim({}), classes))['spec']).toMatchObject({ from: 'd' })
  })

  test('names that were observed are kept, and patches read what was observed', async () => {
    const back = {
      ...patched,
      patches: [...patched.patches, { type: 'ToCompositeFieldPath', fromFieldPath: 'status.address', toFieldPath: 'status.address' }],
    }
    const files = [definition(), composition('c', [back])]
    const named = [{ ...thing(), metadata: { name: 'b-known' }, status: { address: '10.0.0.1' } }]
    const refs = [{ apiVersion: 'cloud.org/v1', kind: 'Thing', name: 'b-known' }]
    const known = { ...box({ infrastructure: { composedRefs: refs } }), metadata: { name: 'b', uid: 'the-uid' } }
    const rendering = await render(box(), files, [known, ...named])
    expect(only(rendering).metadata).toMatchObject({ name: 'b-known', ownerReferences: [{ uid: 'the-uid' }] })
    expect(rendering.intent['status']).toEqual({ address: '10.0.0.1' })
  })

  test('what a composite reports does not come from its requirement, though that reports the same', async () => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] }
    const publication: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'InfrastructurePublication',
      metadata: { name: 'boxes.example.org' },
      spec: { infrastructureDefinitionReference: { name: 'boxes.example.org' } },
    }
    const requirement: KubeObject = {
      apiVersion,
      kind: 'BoxRequirement',
      metadata: { namespace: 'team', name: 'r', uid: 'of-r' },
      spec: { size: 7, infrastructure: { resourceRef: { apiVersion, kind: 'Box', name: 'b' } } },
      status,
    }
    const composite = { ...box({ size: 7, infrastructure: { requirementRef: { namespace: 'team', name: 'r', uid: 'of-r' } } }), status }
    const { objects } = await render(requirement, [definition(), publication, composition('c', [patched])], [composite])
    const origins = new Map(objects.find(({ object }) => object.kind === 'Box')?.origins.map(({ path, from }) => [path, from]))
    expect(origins.get('spec.size')).toBe('BoxRequirement r')
    expect(origins.get('status.conditions[0].type')).toBe('Weft')
  })

  test('without a definition a composite is rendered all the same, with a note', async () => {
    const { objects, notes } = await render(box({ size: 1 }), [composition('c', [patched])])
    expect(objects).toHaveLength(1)
    expect(notes.join()).toContain('nothing defines Box.example.org')
  })

  test.each<[string, KubeObject, readonly KubeObject[], string]>([
    ['nothing known of it', box(), [], 'is not a claim, requirement, composite or application'],
    [
      'F3: a class for another kind',
      claim({ classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'x' } }),
      [resourceClass('x', 'Other'), resourceClass('a')],
      'is for Other.example.org',
    ],
    [
      'no class with the labels',
      claim({ classSelector: { matchLabels: { tier: 'gold' } } }),
      [resourceClass('a')],
      'no class has the labels tier=gold',
    ],
    [
      'no such class',
      claim({ classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'gone' } }),
      [resourceClass('a')],
      'among the files',
    ],
    ['no such Composition', box({ infrastructure: { compositionRef: { name: 'gone' } } }), [definition()], 'no Composition gone'],
    ['C16: a broken contract', box(), [definition({ connectionDetails: ['password'] }), composition('c', [patched])], 'contract'],
    [
      'cross-seed 5: a Composition that composes itself',
      box(),
      [definition({ defaultComposition: { name: 'c' } }), composition('c', [{ base: { apiVersion, kind: 'Box', spec: {} } }])],
      'endlessly',
    ],
    [
      'a required field that is missing',
      box(),
      [
        definition(),
        composition('c', [
          { base: thing(), patches: [{ fromFieldPath: 'spec.absent', toFieldPath: 'spec.x', policy: { fromFieldPath: 'Required' } }] },
        ]),
      ],
      'spec.absent',
    ],
  ])('%s is an error that says what to do', async (_reason, intent, others, text) => {
    const failure = await render(intent, others).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RenderError)
    expect((failure as Error).message).toContain(text)
    expect((failure as Error).message).not.toContain('\n')
  })

  test('nothing is written to what was given', async () => {
    const files = [definition(), composition('c', [patched]), box()]
    const before = structuredClone(files)
    await new Renderer(files).render(files[2] as KubeObject)
    expect(files).toEqual(before)
  })
})
