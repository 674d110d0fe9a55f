import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import {
  definition,
  composition,
  step,
  resource,
  pipeline,
  joinOf,
  patched,
  lossesOf,
  there,
  back,
  resourcesOf,
} from './conversion.fixture.ts'

describe('patches and checks that the other side cannot express are told', () => {
  test.each<[reason: string, objects: readonly KubeObject[], path: string, words: RegExp]>([
    [
      'a check of a number',
      [composition({ readinessChecks: [{ type: 'MatchInteger', fieldPath: 'status.count', matchInteger: 3 }] })],
      'Composition spec.to[0].readinessChecks[0]',
      /never become ready/,
    ],
    [
      'whole numbers that are combined as digits of another base',
      [
        definition(),
        composition(
          patched({
            type: 'CombineFromComposite',
            combine: { strategy: 'string', string: { fmt: '%x' }, variables: [{ fromFieldPath: 'spec.size' }] },
            toFieldPath: 'spec.a',
          }),
        ),
      ],
      'Composition spec.to[0].patches[0].combine.string.fmt',
      /cannot print "%x"/,
    ],
    [
      'texts here and numbers there',
      [
        composition(
          patched({
            fromFieldPath: 'spec.a',
            transforms: [
              { type: 'map', map: { a: 1, b: 'c' } },
              { type: 'string', string: { fmt: '%s' } },
            ],
          }),
        ),
      ],
      'Composition spec.to[0].patches[0].transforms[1].string',
      /produces both/,
    ],
    [
      'a separator that ends in what is no ASCII',
      [composition(patched({ fromFieldPath: 'spec.a', transforms: [joinOf('–')] }))],
      'Composition spec.to[0].patches[0].transforms[0].string.join.separator',
      /half a letter/,
    ],
  ])('to Crossplane: %s', (_, objects, path, words) => {
    const losses = lossesOf(objects, 'crossplane')
    expect(losses).toHaveLength(1)
    expect(losses[0]).toContain(`${path}: `)
    expect(losses[0]).toMatch(words)
  })

  test.each<[reason: string, objects: readonly KubeObject[], path: string, words: RegExp]>([
    [
      'the end that is left of a separator',
      [pipeline(step({ resources: [resource(patched({ fromFieldPath: 'spec.a', transforms: [joinOf(', ')] }))] }))],
      'spec.pipeline[0].input.resources[0].patches[0].transforms[0].string.join.separator',
      /behind the last item/,
    ],
    [
      'a conversion that Weft refuses',
      [
        pipeline(
          step({
            resources: [
              resource(
                patched({ fromFieldPath: 'spec.a', transforms: [{ type: 'convert', convert: { toType: 'string', format: 'quantity' } }] }),
              ),
            ],
          }),
        ),
      ],
      'spec.pipeline[0].input.resources[0].patches[0].transforms[0].convert.format',
      /cannot use this format: the patch is left out/,
    ],
    [
      'a verb that Weft does not know',
      [
        pipeline(
          step({
            resources: [
              resource(patched({ fromFieldPath: 'spec.a', transforms: [{ type: 'string', string: { type: 'Format', fmt: '%T' } }] })),
            ],
          }),
        ),
      ],
      'spec.pipeline[0].input.resources[0].patches[0].transforms[0].string.fmt',
      /unsupported verb/,
    ],
  ])('to Weft: %s', (_, objects, path, words) => {
    const losses = lossesOf(objects, 'weft')
    expect(losses).toHaveLength(1)
    expect(losses[0]).toContain(`${path}: `)
    expect(losses[0]).toMatch(words)
  })
})

describe('what function-patch-and-transform prints otherwise', () => {
  test('K213, K216 numbers and lists are printed as Weft prints them', () => {
    const printed = (fromFieldPath: string, ...transforms: object[]) => ({ fromFieldPath, toFieldPath: 'spec.a', transforms })
    const string = (config: object) => ({ type: 'string', string: config })
    const format = (fmt: string) => string({ type: 'Format', fmt })
    const convert = (toType: string, more: object = {}) => ({ type: 'convert', convert: { toType, ...more } })
    const cases: readonly [given: object, made: object][] = [
      [printed('spec.size', string({ fmt: 'n-%d' })), printed('spec.size', convert('int64'), format('n-%d'))],
      [printed('spec.size', string({ fmt: 'n-%s' })), printed('spec.size', convert('int64'), format('n-%v'))],
      [printed('spec.size', string({ fmt: '%.1f' })), printed('spec.size', format('%.1f'))],
      [printed('spec.other', string({ fmt: '%05d' })), printed('spec.other', convert('int64'), format('%05d'))],
      [printed('spec.name', string({ fmt: 'n-%s' })), printed('spec.name', format('n-%s'))],
      [
        printed('spec.size', string({ type: 'TrimSuffix', trim: '0' })),
        printed('spec.size', convert('string'), string({ type: 'TrimSuffix', trim: '0' })),
      ],
      [printed('spec.names', joinOf(', ')), printed('spec.names', joinOf(', '), string({ type: 'TrimSuffix', trim: ',' }))],
      [
        printed('spec.name', convert('int64', { format: 'quantity' })),
        printed('spec.name', convert('float64', { format: 'quantity' }), convert('int64')),
      ],
    ]
    for (const [given, made] of cases)
      expect(resourcesOf(definition(), composition(patched(given)))[0]?.['patches']).toEqual([{ type: 'FromCompositeFieldPath', ...made }])
    const combined = (fmt: string) => ({
      type: 'CombineFromComposite',
      combine: { strategy: 'string', string: { fmt }, variables: [{ fromFieldPath: 'spec.name' }, { fromFieldPath: 'spec.size' }] },
      toFieldPath: 'spec.a',
    })
    const [made] = resourcesOf(definition(), composition(patched(combined('%s-%03d'))))
    expect(made?.['patches']).toEqual([combined('%s-%03.0f')])
  })

  test('K216 a list that is joined and trimmed comes back as one that is joined', () => {
    const joined = { fromFieldPath: 'spec.names', toFieldPath: 'spec.a', transforms: [joinOf(', ')] }
    const given = [definition(), composition(patched(joined))]
    const [, returned] = back(...there(...given))
    expect(returned).toEqual(given[1])
  })
})
