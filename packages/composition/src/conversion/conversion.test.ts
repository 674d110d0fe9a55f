import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import {
  definition,
  publication,
  thing,
  composition,
  xrd,
  step,
  ready,
  resource,
  pipeline,
  patched,
  lossesOf,
  there,
  back,
  resourcesOf,
} from './conversion.fixture.ts'
import { convertObjects, sideOf } from './conversion.ts'

describe('what would be lost in Crossplane is told by object and field', () => {
  test.each<[reason: string, objects: readonly KubeObject[], path: string, words: RegExp]>([
    [
      'an account that limits what is composed',
      [definition({ spec: { serviceAccountRef: { name: 'limited' } } })],
      'InfrastructureDefinition spec.serviceAccountRef',
      /no longer limit/,
    ],
    [
      'a contract that is empty, of what has claims',
      [definition({ spec: { connectionDetails: [] } }), publication],
      'InfrastructureDefinition spec.connectionDetails',
      /all of them/,
    ],
    ['a publication alone', [publication], 'InfrastructurePublication spec.infrastructureDefinitionReference', /together/],
    [
      'a field that Crossplane calls its own',
      [definition({ schema: { type: 'object', properties: { claimRef: { type: 'string' } } } })],
      'InfrastructureDefinition spec.crdSpecTemplate.validation.openAPIV3Schema.properties.claimRef',
      /another name/,
    ],
    [
      'a keyword that Crossplane drops',
      [definition({ schema: { type: 'object', minProperties: 1 } })],
      'InfrastructureDefinition spec.crdSpecTemplate.validation.openAPIV3Schema.minProperties',
      /no longer be checked/,
    ],
    [
      'the names of other members',
      [definition(), composition(patched({ fromFieldPath: 'spec.infrastructure.composedRefs[0].name', toFieldPath: 'spec.ref' }))],
      'Composition spec.to[0].patches[0].fromFieldPath',
      /order/,
    ],
    [
      'machinery that Crossplane has not',
      [definition(), composition(patched({ fromFieldPath: 'spec.infrastructure.reclaimPolicy', toFieldPath: 'spec.policy' }))],
      'Composition spec.to[0].patches[0].fromFieldPath',
      /nothing for spec\.infrastructure\.reclaimPolicy/,
    ],
    [
      'one of several values that are combined',
      [
        definition(),
        composition(
          patched({
            type: 'CombineFromComposite',
            combine: { strategy: 'string', variables: [{ fromFieldPath: 'status.composition' }], string: { fmt: '%s' } },
            toFieldPath: 'spec.a',
          }),
        ),
      ],
      'Composition spec.to[0].patches[0].combine.variables[0].fromFieldPath',
      /left out/,
    ],
    [
      'what is written back into the spec',
      [definition(), composition(patched({ type: 'ToCompositeFieldPath', fromFieldPath: 'status.size', toFieldPath: 'spec.size' }))],
      'Composition spec.to[0].patches[0].toFieldPath',
      /into the status/,
    ],
    [
      'a factor that is not whole',
      [
        definition(),
        composition(
          patched({ fromFieldPath: 'spec.size', toFieldPath: 'spec.size', transforms: [{ type: 'math', math: { multiply: 1.5 } }] }),
        ),
      ],
      'Composition spec.to[0].patches[0].transforms[0].math.multiply',
      /whole numbers/,
    ],
    [
      'a match without patterns',
      [
        definition(),
        composition(
          patched({ fromFieldPath: 'spec.name', toFieldPath: 'spec.n', transforms: [{ type: 'match', match: { fallbackValue: 1 } }] }),
        ),
      ],
      'Composition spec.to[0].patches[0].transforms[0].match.patterns',
      /at least one/,
    ],
    [
      'a patch of the environment',
      [definition(), composition(patched({ type: 'FromEnvironmentFieldPath', fromFieldPath: 'a', toFieldPath: 'spec.a' }))],
      'Composition spec.to[0].patches[0].type',
      /no environment/,
    ],
    [
      'a secret that is named after its resource',
      [definition(), composition({ base: { ...thing, spec: { writeConnectionSecretToRef: { namespace: 'n' } } } })],
      'Composition spec.to[0].base.spec.writeConnectionSecretToRef.name',
      /uid of the composite and -thing/,
    ],
    [
      'where secrets of applications would go',
      [definition({ kind: 'ApplicationDefinition' }), composition({}, { writeConnectionSecretsToNamespace: 'n' })],
      'Composition spec.writeConnectionSecretsToNamespace',
      /no connection secret/,
    ],
    [
      'a composite that is retained',
      [
        definition(),
        {
          apiVersion: 'example.org/v1',
          kind: 'Box',
          metadata: { name: 'b' },
          spec: { infrastructure: { reclaimPolicy: 'Retain' } },
        },
      ],
      'Box spec.infrastructure.reclaimPolicy',
      /not be retained/,
    ],
  ])('%s', (_, objects, path, words) => {
    const losses = lossesOf(objects, 'crossplane')
    expect(losses).toHaveLength(1)
    expect(losses[0]).toContain(`${path}: `)
    expect(losses[0]).toMatch(words)
  })
})

describe('what would be lost in Weft is told by object and field', () => {
  const claims = { kind: 'BoxRequirement', plural: 'boxrequirements' }
  test.each<[reason: string, objects: readonly KubeObject[], path: string, words: RegExp]>([
    [
      'another version',
      [xrd({ versions: [...(xrd()['spec'] as { versions: object[] }).versions, { name: 'v0', served: true, referenceable: false }] })],
      'spec.versions[1]',
      /v0 would no longer be served/,
    ],
    ['a deprecation', [xrd({}, { deprecated: true })], 'spec.versions[0].deprecated', /no such field/],
    ['a version that is not served', [xrd({}, { served: false })], 'spec.versions[0].served', /always served/],
    ['a claim of another name', [xrd({ claimNames: { ...claims, kind: 'Carton' } })], 'spec.claimNames.kind', /becomes BoxRequirement/],
    ['short names of claims', [xrd({ claimNames: { ...claims, shortNames: ['b'] } })], 'spec.claimNames.shortNames', /have none/],
    ['waiting for deletions', [xrd({ defaultCompositeDeletePolicy: 'Foreground' })], 'spec.defaultCompositeDeletePolicy', /does not wait/],
    ['revisions', [xrd({ defaultCompositionRevisionSelector: {} })], 'spec.defaultCompositionRevisionSelector', /no revisions/],
    ['conversion', [xrd({ conversion: { strategy: 'Webhook' } })], 'spec.conversion', /one version/],
    ['metadata of the kind', [xrd({ metadata: { labels: { a: 'b' } } })], 'spec.metadata', /no labels/],
    [
      'rules of the whole object',
      [xrd({}, { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] } } })],
      'openAPIV3Schema.x-kubernetes-validations',
      /not of the whole/,
    ],
    [
      'a field that Weft calls its own',
      [
        xrd(
          {},
          { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { properties: { application: { type: 'string' } } } } } } },
        ),
      ],
      'properties.spec.properties.application',
      /another name/,
    ],
    ['a pipeline without templates', [xrd(), pipeline({ step: 'a', functionRef: { name: 'mine' } })], 'spec.pipeline', /left out/],
    [
      'another function',
      [xrd(), pipeline(step({ resources: [resource()] }), { step: 'a', functionRef: { name: 'mine' } })],
      'spec.pipeline[1]',
      /mine is left out/,
    ],
    [
      'credentials of a step',
      [xrd(), pipeline(step({ resources: [resource()] }, { credentials: [{ name: 'c', source: 'None' }] }))],
      'spec.pipeline[0].credentials',
      /calls no functions/,
    ],
    [
      'an environment',
      [xrd(), pipeline(step({ resources: [resource()], environment: { patches: [] } }))],
      'input.environment',
      /no environment/,
    ],
    [
      'a resource of another function',
      [xrd(), pipeline(step({ resources: [resource(), { name: 'other' }] }))],
      'input.resources[1].base',
      /left out/,
    ],
    [
      'a name that a base chooses',
      [xrd(), pipeline(step({ resources: [resource({ base: { ...thing, metadata: { name: 'x' } } })] }))],
      'resources[0].base.metadata.name',
      /Weft decides/,
    ],
    [
      'a name that a patch chooses',
      [xrd(), pipeline(step({ resources: [resource(patched({ fromFieldPath: 'metadata.name' }))] }))],
      'resources[0].patches[0].fromFieldPath',
      /Weft decides/,
    ],
    [
      'the names of other members',
      [xrd(), pipeline(step({ resources: [resource(patched({ fromFieldPath: 'spec.resourceRefs[0].name', toFieldPath: 'spec.a' }))] }))],
      'resources[0].patches[0].fromFieldPath',
      /order/,
    ],
    [
      'a secret that the function composes',
      [
        xrd({}, {}, 'apiextensions.crossplane.io/v2'),
        pipeline(step({ resources: [resource({ connectionDetails: [{ name: 'a', type: 'FromValue', value: 'b' }] })] })),
      ],
      'resources[0].connectionDetails',
      /Secret/,
    ],
    [
      'a kind that auto-ready knows better',
      [xrd(), pipeline(step({ resources: [resource({ base: { apiVersion: 'apps/v1', kind: 'StatefulSet' } })] }), ready)],
      'resources[0].base.kind',
      /readinessChecks/,
    ],
    [
      'checks that auto-ready overrules',
      [xrd(), pipeline(step({ resources: [resource({ readinessChecks: [{ type: 'NonEmpty', fieldPath: 'status.id' }] })] }), ready)],
      'resources[0].readinessChecks',
      /alone decide/,
    ],
    [
      'a revision that a composite names',
      [xrd(), { apiVersion: 'example.org/v1', kind: 'Box', metadata: { name: 'b' }, spec: { compositionRevisionRef: { name: 'r' } } }],
      'Box spec.compositionRevisionRef',
      /no revisions/,
    ],
  ])('%s', (_, objects, path, words) => {
    const losses = lossesOf(objects, 'weft')
    expect(losses).toHaveLength(1)
    expect(losses[0]).toContain(`${path}: `)
    expect(losses[0]).toMatch(words)
  })
})

describe('K34 conversion', () => {
  test('which side an object is written for', () => {
    expect([definition(), publication, composition()].map(sideOf)).toEqual(['weft', 'weft', 'weft'])
    expect([xrd(), pipeline()].map(sideOf)).toEqual(['crossplane', 'crossplane'])
    expect(sideOf({ apiVersion: 'other.org/v1', kind: 'Composition', metadata: {} })).toBeUndefined()
  })

  test('what needs no conversion is passed on as it is', () => {
    const map: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', uid: 'u' }, data: {} }
    const given = [map, xrd(), pipeline(step({ resources: [resource()] }))]
    const { objects, converted, losses } = convertObjects(given, 'crossplane')
    expect(objects.every((object, i) => object === given[i])).toBe(true)
    expect([converted, losses]).toEqual([0, []])
  })

  test('a map of what is no text gets its text first, and a known text is left alone', () => {
    const look = (fromFieldPath: string) => ({ fromFieldPath, toFieldPath: 'spec.a', transforms: [{ type: 'map', map: { 5: 'five' } }] })
    const [made] = resourcesOf(definition(), composition({ patches: [look('spec.size'), look('spec.name')] }))
    const patches = made?.['patches'] as { transforms: { type: string }[] }[]
    expect(patches.map(({ transforms }) => transforms.map(({ type }) => type))).toEqual([['convert', 'map'], ['map']])
  })

  test('kinds of Kubernetes itself are ready by the checks that Weft makes of them', () => {
    const bases = [{ apiVersion: 'v1', kind: 'ConfigMap' }, { apiVersion: 'apps/v1', kind: 'Deployment' }, thing]
    const checks = bases.map((base) => resourcesOf(composition({ base }))[0]?.['readinessChecks'])
    expect(checks).toEqual([
      [{ type: 'None' }],
      [{ type: 'MatchCondition', matchCondition: { type: 'Available', status: 'True' } }],
      undefined,
    ])
    // And what waits for a condition Ready for ever still does.
    const [kept] = back(pipeline(step({ resources: [resource({ base: bases[0] })] })))
    expect(kept).toMatchObject({ spec: { to: [{ readinessChecks: [{ type: 'MatchCondition', matchCondition: { type: 'Ready' } }] }] } })
  })

  test('what servers added to an object does not travel', () => {
    const stored: KubeObject = {
      ...definition(),
      metadata: { name: 'boxes.example.org', uid: 'u', resourceVersion: '5' },
      status: { a: 1 },
    }
    expect(there(stored)[0]).toMatchObject({ metadata: { name: 'boxes.example.org' } })
    expect(JSON.stringify(there(stored))).not.toMatch(/resourceVersion|"status"/)
  })

  test('fields of a status without a schema that Compositions write are kept by the definition', () => {
    const writes = composition(patched({ type: 'ToCompositeFieldPath', fromFieldPath: 'status.id', toFieldPath: 'status.ids.first' }))
    const [made] = there(definition(), writes)
    const { versions } = (made as KubeObject)['spec'] as { versions: [{ schema: { openAPIV3Schema: { properties: { status: object } } } }] }
    expect(versions[0].schema.openAPIV3Schema.properties.status).toEqual({
      type: 'object',
      properties: { ids: { 'x-kubernetes-preserve-unknown-fields': true } },
    })
    expect(back(...there(definition(), writes))).toEqual([definition(), writes])
  })

  test('what publishes nothing and has no claims is of scope Cluster, and comes back', () => {
    const given = [definition({ spec: { connectionDetails: [] } }), composition()]
    const made = there(...given)
    expect(made[0]).toMatchObject({ apiVersion: 'apiextensions.crossplane.io/v2', spec: { scope: 'Cluster' } })
    expect(back(...made)).toEqual(given)
  })

  test('names, columns, merges and older spellings are said in words of today', () => {
    const columns = [{ name: 'Size', type: 'integer', JSONPath: '.spec.size' }]
    const [made] = there(
      definition({ template: { names: { kind: 'Box', plural: 'boxes', singular: 'bx' }, additionalPrinterColumns: columns } }),
      publication,
    )
    expect(made).toMatchObject({
      spec: {
        claimNames: { kind: 'BoxRequirement', plural: 'bxrequirements', singular: 'bxrequirement' },
        versions: [{ additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] }],
      },
    })
    const merge = (mergeOptions: object) => ({ fromClaimFieldPath: 'spec.a', toResourceFieldPath: 'spec.b', policy: { mergeOptions } })
    const [resourceMade] = resourcesOf(
      composition({
        patch: [merge({ keepMapValues: true }), merge({ appendSlice: true }), merge({ keepMapValues: true, appendSlice: true }), merge({})],
      }),
    )
    expect(resourceMade?.['patches']).toMatchObject(
      ['MergeObjects', 'ForceMergeObjectsAppendArrays', 'MergeObjectsAppendArrays', 'ForceMergeObjects'].map((toFieldPath) => ({
        fromFieldPath: 'spec.a',
        toFieldPath: 'spec.b',
        policy: { toFieldPath },
      })),
    )
  })

  test('C17, C28 machinery moves in composites, requirements, bases and paths, and back', () => {
    const machinery = { compositionSelector: { matchLabels: { a: 'b' } }, writeConnectionSecretToRef: { name: 's' } }
    const nested = composition({
      base: { apiVersion: 'example.org/v1', kind: 'BoxRequirement', spec: { size: 1, infrastructure: machinery } },
      patches: [
        { fromFieldPath: 'metadata.name', toFieldPath: 'spec.infrastructure.writeConnectionSecretToRef.name' },
        { fromFieldPath: 'spec.infrastructure.requirementRef.namespace', toFieldPath: 'metadata.labels[from]' },
      ],
    })
    const requirement: KubeObject = {
      apiVersion: 'example.org/v1',
      kind: 'BoxRequirement',
      metadata: { name: 'r', namespace: 'n' },
      spec: { size: 2, infrastructure: machinery },
    }
    const given = [definition(), publication, nested, requirement]
    expect(resourcesOf(...given)[0]).toMatchObject({
      base: { spec: { size: 1, ...machinery } },
      patches: [{ toFieldPath: 'spec.writeConnectionSecretToRef.name' }, { fromFieldPath: 'spec.claimRef.namespace' }],
    })
    expect(there(...given).at(-1)).toMatchObject({ kind: 'BoxRequirement', spec: { size: 2, ...machinery } })
    expect(lossesOf(given, 'crossplane')).toEqual([])
    expect(back(...there(...given))).toEqual(given)
  })

  test('a function is known by its package where the Function is at hand', () => {
    const fn: KubeObject = {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name: 'pt' },
      spec: { package: 'registry.example.org/contrib/function-patch-and-transform:v0.9.0' },
    }
    const named = pipeline(step({ resources: [resource()] }, { functionRef: { name: 'pt' } }))
    expect(lossesOf([named], 'weft')).toHaveLength(1)
    expect(lossesOf([named, fn], 'weft')).toEqual([])
  })
})
