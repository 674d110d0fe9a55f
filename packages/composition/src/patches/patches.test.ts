import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPatches, type PatchObjects } from './apply.ts'
import { mergeValues } from './merge.ts'
import { parsePatches, readPatchSets } from './parse.ts'
import type { Patch, PatchSide } from './patch.ts'

const parse = (raw: unknown): readonly Patch[] => {
  const result = parsePatches(raw)
  if (!result.ok) throw new Error(result.error.map((e) => `${e.path}: ${e.message}`).join('; '))
  return result.value
}

const from = {
  metadata: { name: 'sql', uid: 'eabce854', annotations: { 'crossplane.io/external-name': 'example' } },
  spec: {
    region: 'us-west',
    engineVersion: '5.7',
    storageGB: 10,
    tags: { a: 1, b: { c: 2 } },
    list: ['x', 'y'],
    nothing: null,
    text: 'plain',
  },
}

const patchOne = (raw: object, to: unknown = {}, objects: PatchObjects = { composite: from }, side: PatchSide = 'composed') =>
  applyPatches(parse([raw]), side, objects, to)

describe('the seeds’ fragments', () => {
  const map = [{ type: 'map', map: { 'us-west': 'West US', 'us-east': 'East US' } }]
  it.each<[string, object, object]>([
    [
      'C5 002:916: copy',
      { fromFieldPath: 'spec.region', toFieldPath: 'spec.forProvider.location' },
      { spec: { forProvider: { location: 'us-west' } } },
    ],
    [
      'C6 002:937: map',
      { fromFieldPath: 'spec.region', toFieldPath: 'spec.forProvider.location', transforms: map },
      { spec: { forProvider: { location: 'West US' } } },
    ],
    [
      'C6 002:956: multiply',
      {
        fromFieldPath: 'spec.storageGB',
        toFieldPath: 'spec.forProvider.storageProfile.storageMB',
        transforms: [{ type: 'math', math: { multiply: 1024 } }],
      },
      { spec: { forProvider: { storageProfile: { storageMB: 10240 } } } },
    ],
    [
      'C6 002:969: string',
      {
        fromFieldPath: 'metadata.uid',
        toFieldPath: 'spec.writeConnectionSecretToRef.name',
        transforms: [{ type: 'string', string: { fmt: '%s-postgresqlserver' } }],
      },
      { spec: { writeConnectionSecretToRef: { name: 'eabce854-postgresqlserver' } } },
    ],
    [
      'C5, C43 002:986: annotation by key',
      {
        fromFieldPath: 'metadata.annotations[crossplane.io/external-name]',
        toFieldPath: 'metadata.annotations[crossplane.io/external-name]',
        transforms: [{ type: 'string', string: { fmt: '%s-a' } }],
      },
      { metadata: { annotations: { 'crossplane.io/external-name': 'example-a' } } },
    ],
    [
      'F8 001:242: claim spelling',
      { fromClaimFieldPath: 'spec.storageGB', toResourceFieldPath: 'spec.forProvider.dataDiskSizeGb' },
      { spec: { forProvider: { dataDiskSizeGb: 10 } } },
    ],
    [
      'B15 001:355: leading dot',
      { fromClaimFieldPath: '.metadata.uid', toResourceFieldPath: 'spec.writeConnectionSecretToRef.name' },
      { spec: { writeConnectionSecretToRef: { name: 'eabce854' } } },
    ],
  ])('%s', (_reason, patch, expected) => {
    expect(patchOne(patch)).toMatchObject({ ok: true, value: { object: expected } })
  })
})

describe('reading', () => {
  it('the target defaults to the path that is read', () => {
    expect(patchOne({ fromFieldPath: 'spec.region' })).toMatchObject({ ok: true, value: { object: { spec: { region: 'us-west' } } } })
  })

  it.each(['spec.missing', 'spec.missing.deeper', 'spec.nothing', 'spec.nothing.x', 'spec.list[7]'])(
    'Optional: nothing at %s skips the patch',
    (path) => {
      const to = { kept: true }
      const result = patchOne({ fromFieldPath: path, toFieldPath: 'a' }, to)
      expect(result).toMatchObject({ ok: true, value: { skipped: [{ missing: path }], written: [] } })
      expect(result.ok && result.value.object).toBe(to)
    },
  )

  it.each([{ fromFieldPath: 'Optional' }, { toFieldPath: 'Replace' }, {}])('a policy %j skips it, too', (policy) => {
    expect(patchOne({ fromFieldPath: 'spec.missing', toFieldPath: 'a', policy })).toMatchObject({ ok: true })
  })

  it('Required: nothing there is an error that names the path', () => {
    expect(patchOne({ fromFieldPath: 'spec.missing', toFieldPath: 'a', policy: { fromFieldPath: 'Required' } })).toMatchObject({
      ok: false,
      error: { code: 'RequiredFieldMissing', path: 'spec.missing' },
    })
  })

  it('a path through a plain value is an error even when optional', () => {
    expect(patchOne({ fromFieldPath: 'spec.text.x', toFieldPath: 'a' })).toMatchObject({
      ok: false,
      error: { code: 'PatchFailed', cause: { code: 'FieldTypeMismatch' } },
    })
  })

  it('a transform that refuses fails the patch', () => {
    expect(patchOne({ fromFieldPath: 'spec.text', toFieldPath: 'a', transforms: [{ type: 'math', math: { multiply: 2 } }] })).toMatchObject(
      {
        ok: false,
        error: { code: 'PatchFailed', cause: { code: 'TransformFailed' } },
      },
    )
  })
})

describe('directions', () => {
  const composed = { status: { address: '10.0.0.1', port: 3306 } }
  const environment = { zone: 'b' }
  it.each<[string, object, PatchSide, object]>([
    [
      'ToCompositeFieldPath',
      { type: 'ToCompositeFieldPath', fromFieldPath: 'status.address', toFieldPath: 'status.host' },
      'composite',
      { status: { host: '10.0.0.1' } },
    ],
    [
      'CombineToComposite',
      {
        type: 'CombineToComposite',
        combine: {
          strategy: 'string',
          variables: [{ fromFieldPath: 'status.address' }, { fromFieldPath: 'status.port' }],
          string: { fmt: '%s:%d' },
        },
        toFieldPath: 'status.endpoint',
      },
      'composite',
      { status: { endpoint: '10.0.0.1:3306' } },
    ],
    [
      'CombineFromComposite',
      {
        type: 'CombineFromComposite',
        combine: {
          strategy: 'string',
          variables: [{ fromFieldPath: 'metadata.name' }, { fromFieldPath: 'spec.region' }],
          string: { fmt: '%s-%s' },
        },
        toFieldPath: 'spec.name',
        transforms: [{ type: 'string', string: { type: 'Convert', convert: 'ToUpper' } }],
      },
      'composed',
      { spec: { name: 'SQL-US-WEST' } },
    ],
    [
      'FromEnvironmentFieldPath',
      { type: 'FromEnvironmentFieldPath', fromFieldPath: 'zone', toFieldPath: 'spec.zone' },
      'composed',
      { spec: { zone: 'b' } },
    ],
    [
      'CombineFromEnvironment',
      {
        type: 'CombineFromEnvironment',
        combine: { strategy: 'string', variables: [{ fromFieldPath: 'zone' }, { fromFieldPath: 'zone' }], string: { fmt: '%s-%s' } },
        toFieldPath: 'spec.zones',
      },
      'composed',
      { spec: { zones: 'b-b' } },
    ],
    [
      'CombineToEnvironment',
      {
        type: 'CombineToEnvironment',
        combine: { strategy: 'string', variables: [{ fromFieldPath: 'status.port' }], string: { fmt: ':%d' } },
        toFieldPath: 'address',
      },
      'environment',
      { address: ':3306' },
    ],
    [
      'ToEnvironmentFieldPath',
      { type: 'ToEnvironmentFieldPath', fromFieldPath: 'status.port', toFieldPath: 'port' },
      'environment',
      { port: 3306 },
    ],
  ])('%s', (_type, raw, side, expected) => {
    expect(patchOne(raw, {}, { composite: from, composed, environment }, side)).toMatchObject({ ok: true, value: { object: expected } })
  })

  it('patches of the other direction are left out', () => {
    const result = patchOne(
      { type: 'ToCompositeFieldPath', fromFieldPath: 'status.address', toFieldPath: 'x' },
      {},
      { composite: from, composed },
      'composed',
    )
    expect(result).toMatchObject({ ok: true, value: { object: {}, written: [], skipped: [] } })
  })

  it('a combine with one missing variable is skipped as a whole', () => {
    const combine = {
      strategy: 'string',
      variables: [{ fromFieldPath: 'metadata.name' }, { fromFieldPath: 'spec.no' }],
      string: { fmt: '%s-%s' },
    }
    expect(patchOne({ type: 'CombineFromComposite', combine, toFieldPath: 'a' })).toMatchObject({
      ok: true,
      value: { object: {}, skipped: [{ missing: 'spec.no' }] },
    })
  })

  it('without an environment its fields are missing', () => {
    expect(patchOne({ type: 'FromEnvironmentFieldPath', fromFieldPath: 'zone', toFieldPath: 'a' })).toMatchObject({
      ok: true,
      value: { skipped: [{ missing: 'zone' }] },
    })
  })
})

describe('policy.toFieldPath and mergeOptions', () => {
  const existing = { m: { a: 'old', only: 1, l: [1, 2], deep: { x: 'old' } } }
  const incoming = { spec: { m: { a: 'new', fresh: 2, l: [2, 3], deep: { x: 'new', y: 1 } } } }
  it.each<[string, object | undefined, object]>([
    ['Replace', { toFieldPath: 'Replace' }, { a: 'new', fresh: 2, l: [2, 3], deep: { x: 'new', y: 1 } }],
    ['none', undefined, { a: 'new', fresh: 2, l: [2, 3], deep: { x: 'new', y: 1 } }],
    ['MergeObjects', { toFieldPath: 'MergeObjects' }, { a: 'old', only: 1, fresh: 2, l: [1, 2], deep: { x: 'old', y: 1 } }],
    [
      'MergeObjectsAppendArrays',
      { toFieldPath: 'MergeObjectsAppendArrays' },
      { a: 'old', only: 1, fresh: 2, l: [1, 2, 3], deep: { x: 'old', y: 1 } },
    ],
    ['ForceMergeObjects', { toFieldPath: 'ForceMergeObjects' }, { a: 'new', only: 1, fresh: 2, l: [2, 3], deep: { x: 'new', y: 1 } }],
    [
      'ForceMergeObjectsAppendArrays',
      { toFieldPath: 'ForceMergeObjectsAppendArrays' },
      { a: 'new', only: 1, fresh: 2, l: [1, 2, 3], deep: { x: 'new', y: 1 } },
    ],
    [
      'mergeOptions keepMapValues',
      { mergeOptions: { keepMapValues: true } },
      { a: 'old', only: 1, fresh: 2, l: [1, 2], deep: { x: 'old', y: 1 } },
    ],
    [
      'mergeOptions appendSlice',
      { mergeOptions: { appendSlice: true } },
      { a: 'new', only: 1, fresh: 2, l: [1, 2, 3], deep: { x: 'new', y: 1 } },
    ],
  ])('%s', (_name, policy, expected) => {
    const result = patchOne({ fromFieldPath: 'spec.m', toFieldPath: 'm', ...(policy && { policy }) }, existing, { composite: incoming })
    expect(result).toMatchObject({ ok: true })
    expect(result.ok && result.value.object).toEqual({ m: expected })
  })

  it('merging again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.boolean(),
        (a, b, keepExisting) => {
          const policy = { keepExisting, appendLists: true }
          const once = mergeValues(a, b, policy)
          expect(mergeValues(once, b, policy)).toEqual(once)
        },
      ),
    )
  })
})

describe('wildcards in the target', () => {
  it('every element is patched and reported', () => {
    const result = patchOne({ fromFieldPath: 'spec.region', toFieldPath: 'pools[*].region' }, { pools: [{ n: 1 }, { n: 2 }] })
    expect(result).toMatchObject({
      ok: true,
      value: {
        object: {
          pools: [
            { n: 1, region: 'us-west' },
            { n: 2, region: 'us-west' },
          ],
        },
        written: [{ path: 'pools[0].region' }, { path: 'pools[1].region' }],
      },
    })
  })

  it('with nothing to stand for it is an error', () => {
    expect(patchOne({ fromFieldPath: 'spec.region', toFieldPath: 'pools[*].region' }, { pools: [] })).toMatchObject({
      ok: false,
      error: { code: 'PatchFailed' },
    })
  })
})

it('provenance names the patch that wrote each path, in order', () => {
  const patches = parse([
    { fromFieldPath: 'spec.region', toFieldPath: 'a' },
    { fromFieldPath: 'spec.no', toFieldPath: 'a' },
    { fromFieldPath: 'spec.text', toFieldPath: 'a' },
  ])
  const result = applyPatches(patches, 'composed', { composite: from }, {})
  expect(result.ok && result.value.written.map(({ path, patch }) => [path, patch.origin])).toEqual([
    ['a', 'patches[0]'],
    ['a', 'patches[2]'],
  ])
  expect(result).toMatchObject({ ok: true, value: { object: { a: 'plain' } } })
})

describe('patch sets', () => {
  const sets = (raw: unknown) => {
    const errors: never[] = []
    return { sets: readPatchSets(raw, 'spec.patchSets', errors), errors }
  }
  it('are included where they are named', () => {
    const { sets: common } = sets([{ name: 'common', patches: [{ fromFieldPath: 'spec.region' }, { fromFieldPath: 'spec.text' }] }])
    const result = parsePatches([{ type: 'PatchSet', patchSetName: 'common' }, { fromFieldPath: 'metadata.uid' }], 'patches', common)
    expect(result).toMatchObject({
      ok: true,
      value: [{ patchSet: 'common', origin: 'spec.patchSets[0].patches[0]' }, { patchSet: 'common' }, { origin: 'patches[1]' }],
    })
  })

  it('must exist, have unique names and not nest', () => {
    expect(parsePatches([{ type: 'PatchSet', patchSetName: 'no' }])).toMatchObject({
      ok: false,
      error: [{ path: 'patches[0].patchSetName' }],
    })
    expect(parsePatches([{ type: 'PatchSet' }])).toMatchObject({ ok: false, error: [{ path: 'patches[0].patchSetName' }] })
    expect(sets([{ name: 'a' }, { name: 'a' }]).errors).toMatchObject([{ type: 'FieldValueDuplicate' }])
    expect(sets([{ name: 'a', patches: [{ type: 'PatchSet', patchSetName: 'a' }] }]).errors).toMatchObject([
      { path: 'spec.patchSets[0].patches[0].type' },
    ])
  })
})

describe('what is malformed is refused when it is read, with its path', () => {
  it.each<[unknown, string]>([
    ['x', 'patches'],
    [[5], 'patches[0]'],
    [[{}], 'patches[0].fromFieldPath'],
    [[{ fromFieldPath: 'a..b' }], 'patches[0].fromFieldPath'],
    [[{ fromFieldPath: 'a[*]' }], 'patches[0].fromFieldPath'],
    [[{ fromFieldPath: 'a', toFieldPath: 'b[' }], 'patches[0].toFieldPath'],
    [[{ fromClaimFieldPath: 'a', fromFieldPath: 'b' }], 'patches[0].fromClaimFieldPath'],
    [[{ type: 'FromNowhere', fromFieldPath: 'a' }], 'patches[0].type'],
    [[{ fromFieldPath: 'a', policy: { fromFieldPath: 'Maybe' } }], 'patches[0].policy.fromFieldPath'],
    [[{ fromFieldPath: 'a', transforms: [{ type: 'x' }] }], 'patches[0].transforms[0].type'],
    [[{ type: 'CombineFromComposite', toFieldPath: 'a' }], 'patches[0].combine'],
    [
      [
        {
          type: 'CombineFromComposite',
          combine: { strategy: 'string', variables: [{ fromFieldPath: 'a' }], string: {} },
          toFieldPath: 'a',
        },
      ],
      'patches[0].combine.string.fmt',
    ],
    [
      [{ type: 'CombineFromComposite', combine: { strategy: 'string', variables: [{}], string: { fmt: '%s' } }, toFieldPath: 'a' }],
      'patches[0].combine.variables[0].fromFieldPath',
    ],
    [
      [
        {
          type: 'CombineFromComposite',
          toFieldPath: 'a',
          combine: { strategy: 'sum', variables: [{ fromFieldPath: 'a' }], string: { fmt: '%s' } },
        },
      ],
      'patches[0].combine.strategy',
    ],
    [
      [{ type: 'CombineFromComposite', toFieldPath: 'a', combine: { strategy: 'string', variables: [], string: { fmt: '%s' } } }],
      'patches[0].combine.variables',
    ],
    [
      [{ type: 'CombineFromComposite', combine: { strategy: 'string', variables: [{ fromFieldPath: 'a' }], string: { fmt: '%s' } } }],
      'patches[0].toFieldPath',
    ],
  ])('%j', (raw, path) => {
    const result = parsePatches(raw)
    expect(!result.ok && result.error.map((e) => e.path)).toEqual([path])
  })

  it('any document is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(typeof parsePatches(raw).ok).toBe('boolean')
      }),
    )
  })
})

it('patches never mutate what they read or write', () => {
  const deepFreeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
    return value
  }
  const path = fc.constantFrom('a', 'a.b', 'a.b[1]', 'l[0]', 'l[*].x', '__proto__.x', "c['x.y']")
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          fromFieldPath: path.filter((p) => !p.includes('*')),
          toFieldPath: path,
          policy: fc.constantFrom({}, { toFieldPath: 'MergeObjectsAppendArrays' }),
        }),
        { maxLength: 5 },
      ),
      fc.jsonValue(),
      fc.record({ a: fc.jsonValue(), l: fc.array(fc.record({ x: fc.jsonValue() })) }, { requiredKeys: [] }),
      (raw, source, target) => {
        const before = JSON.stringify([source, target])
        applyPatches(parse(raw), 'composed', { composite: deepFreeze(source) }, deepFreeze(target))
        expect(JSON.stringify([source, target])).toBe(before)
      },
    ),
  )
})
