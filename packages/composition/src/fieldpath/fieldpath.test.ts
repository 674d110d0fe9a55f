import { setOwn } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFieldPath } from './parse.ts'
import { type FieldPath, formatFieldPath, MAX_ARRAY_INDEX, pathOf, type Segment, WILDCARD } from './path.ts'
import { expandWildcards, fieldOf, readField } from './read.ts'
import { deleteField, writeField } from './write.ts'

const path = (text: string): FieldPath => {
  const parsed = parseFieldPath(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

describe('parseFieldPath: C5 syntax', () => {
  it.each<[string, Segment[], string]>([
    ['metadata.name', ['metadata', 'name'], 'dots'],
    ['spec.containers[0].name', ['spec', 'containers', 0, 'name'], 'index'],
    [
      'metadata.annotations[crossplane.io/external-name]',
      ['metadata', 'annotations', 'crossplane.io/external-name'],
      '002:986, unquoted key',
    ],
    ["metadata.annotations['a.b/c']", ['metadata', 'annotations', 'a.b/c'], 'single quotes'],
    ['metadata.annotations["a.b/c"].x', ['metadata', 'annotations', 'a.b/c', 'x'], 'double quotes'],
    ['.metadata.uid', ['metadata', 'uid'], 'B15: one leading dot is stripped (001:355)'],
    ['[42]', [42], 'only an index'],
    ['a[0][1]', ['a', 0, 1], 'nested lists'],
    ['data[.config.yml]', ['data', '.config.yml'], 'key with a leading dot'],
    ["data['0']", ['data', '0'], 'quoted digits are a key'],
    ['data.0', ['data', '0'], 'between dots everything is a field'],
    ['spec.list[*].name', ['spec', 'list', WILDCARD, 'name'], 'wildcard'],
    ["spec['*']", ['spec', '*'], 'quoted star is a key'],
    ["a['b]c']", ['a', 'b]c'], 'a bracket inside quotes'],
    ["a['it\\'s']", ['a', "it's"], 'an escaped quote'],
    ["a['b\\\\c']", ['a', 'b\\c'], 'an escaped backslash'],
    ["a['b\\nc']", ['a', 'b\\nc'], 'a backslash before anything else is itself'],
    ['a.__proto__.b', ['a', '__proto__', 'b'], 'no name is special'],
    [`a[${MAX_ARRAY_INDEX}]`, ['a', MAX_ARRAY_INDEX], 'the highest index'],
  ])('%s', (text, segments) => {
    expect(path(text).segments).toEqual(segments)
  })

  it.each<[string, string, number]>([
    ['', 'FieldPathSyntax', 0],
    ['.', 'FieldPathSyntax', 0],
    ['..a', 'FieldPathSyntax', 1],
    ['a..b', 'FieldPathSyntax', 1],
    ['a.', 'FieldPathSyntax', 1],
    ['a[]', 'FieldPathSyntax', 2],
    ['a.[0]', 'FieldPathSyntax', 1],
    ['a[0', 'FieldPathSyntax', 1],
    ['a]', 'FieldPathSyntax', 1],
    ['a[0]b', 'FieldPathSyntax', 4],
    ['a[b[c]]', 'FieldPathSyntax', 3],
    ["a['b]", 'FieldPathSyntax', 2],
    ["a['b'x]", 'FieldPathSyntax', 5],
    ['a[1025]', 'FieldPathLimit', 2],
    ['a[99999999999999999999]', 'FieldPathLimit', 2],
  ])('refuses %j as %s at %d', (text, code, position) => {
    expect(parseFieldPath(text)).toMatchObject({ ok: false, error: { code, position } })
  })

  it('limits the depth', () => {
    expect(parseFieldPath(Array.from({ length: 100 }, () => 'a').join('.')).ok).toBe(true)
    expect(parseFieldPath(Array.from({ length: 101 }, () => 'a').join('.'))).toMatchObject({ error: { code: 'FieldPathLimit' } })
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '.', '[', ']', "'", '"', '*', '1', '\\') })), (text) => {
        expect(typeof parseFieldPath(text).ok).toBe('boolean')
      }),
    )
  })
})

const anySegment = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '*', '0', 'a.b/c', "it's", 'x]', ''),
  fc.nat({ max: MAX_ARRAY_INDEX }),
  fc.constant(WILDCARD as Segment),
)

it('parsing what formatFieldPath wrote answers the same segments', () => {
  fc.assert(
    fc.property(fc.array(anySegment, { minLength: 1, maxLength: 8 }), (segments) => {
      expect(path(formatFieldPath(segments)).segments).toEqual(segments)
    }),
  )
})

describe('readField', () => {
  const object = { spec: { list: [{ a: 1 }, null], text: 'x', nothing: null }, zero: 0 }
  it.each<[string, unknown]>([
    ['spec.list[0].a', 1],
    ['spec.nothing', null],
    ['zero', 0],
    ['spec.list[1]', null],
  ])('%s', (text, value) => {
    expect(readField(object, path(text))).toEqual({ ok: true, value })
  })

  it.each<[string, string, string]>([
    ['spec.list[0].b', 'FieldNotFound', 'spec.list[0].b'],
    ['spec.list[7]', 'FieldNotFound', 'spec.list[7]'],
    ['spec.missing.deep.er', 'FieldNotFound', 'spec.missing'],
    ['spec.nothing.x', 'FieldNotFound', 'spec.nothing.x'],
    ['spec.text.x', 'FieldTypeMismatch', 'spec.text'],
    ['spec.list.x', 'FieldTypeMismatch', 'spec.list'],
    ['spec[0]', 'FieldTypeMismatch', 'spec'],
    ['constructor', 'FieldNotFound', 'constructor'],
    ['__proto__', 'FieldNotFound', '__proto__'],
    ['spec.list[*]', 'FieldTypeMismatch', 'spec.list'],
  ])('%s is %s at %s', (text, code, at) => {
    expect(readField(object, path(text))).toMatchObject({ ok: false, error: { code, path: at } })
  })
})

describe('writeField', () => {
  it.each<[string, unknown, string, unknown, string]>([
    ['F8 overwrites', { a: 1 }, 'a', 2, '{"a":2}'],
    ['F8 creates objects', {}, 'spec.forProvider.location', 'West US', '{"spec":{"forProvider":{"location":"West US"}}}'],
    ['creates lists, filling with nulls', {}, 'a[2].b', 1, '{"a":[null,null,{"b":1}]}'],
    ['lengthens lists', { a: [0] }, 'a[2]', 1, '{"a":[0,null,1]}'],
    ['a null parent counts as absent (metadata: null)', { metadata: null }, 'metadata.labels.a', 'b', '{"metadata":{"labels":{"a":"b"}}}'],
    ['a null element counts as absent', { a: [null] }, 'a[0].b', 1, '{"a":[{"b":1}]}'],
    ['writes every expansion', { a: [{ b: 1 }, {}] }, 'a[*].b', 2, '{"a":[{"b":2},{"b":2}]}'],
    ['__proto__ is data', {}, 'a.__proto__.polluted', true, '{"a":{"__proto__":{"polluted":true}}}'],
  ])('%s', (_reason, object, at, value, text) => {
    const result = writeField(object, path(at), value)
    expect(result.ok && JSON.stringify(result.value)).toBe(text)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    [{ a: 'x' }, 'a.b'],
    [{ a: {} }, 'a[0]'],
    [{ a: [] }, 'a.b'],
  ])('%j through %s is a FieldTypeMismatch', (object, at) => {
    expect(writeField(object, path(at), 1)).toMatchObject({ ok: false, error: { code: 'FieldTypeMismatch', path: 'a' } })
  })

  it('refuses to grow a list beyond the limit even when the path was made by a program', () => {
    expect(writeField({}, pathOf('a', 1e9), 1)).toMatchObject({ ok: false, error: { code: 'FieldPathLimit' } })
  })

  it('shares what it does not change, and answers the same object when nothing changes', () => {
    const object = { spec: { a: { deep: 1 }, b: { deep: 2 } } }
    const changed = writeField(object, path('spec.a.deep'), 3)
    expect(changed.ok && changed.value.spec.b).toBe(object.spec.b)
    expect(object.spec.a.deep).toBe(1)
    const same = writeField(object, path('spec.a.deep'), 1)
    expect(same.ok && same.value).toBe(object)
    const list = { a: [{ b: 1 }, { b: 2 }] }
    for (const at of ['a[1].b', 'a[1]']) {
      const kept = writeField(list, path(at), at === 'a[1]' ? list.a[1] : 2)
      expect(kept.ok && kept.value).toBe(list)
    }
  })

  it('through a wildcard it is refused where one place cannot be written', () => {
    const object = { a: [{ b: {} }, { b: 'x' }, { b: {} }] }
    expect(writeField(object, path('a[*].b.c'), 1)).toMatchObject({ ok: false, error: { code: 'FieldTypeMismatch' } })
  })
})

describe('deleteField', () => {
  it.each<[string, unknown, string, unknown]>([
    ['a field', { a: { b: 1, c: 2 } }, 'a.b', { a: { c: 2 } }],
    ['a list element', { a: [1, 2, 3] }, 'a[1]', { a: [1, 3] }],
    ['everything a wildcard stands for', { a: [{ b: 1, c: 1 }, { c: 2 }] }, 'a[*].b', { a: [{ c: 1 }, { c: 2 }] }],
    ['all elements', { a: [1, 2, 3] }, 'a[*]', { a: [] }],
  ])('%s', (_reason, object, at, expected) => {
    expect(deleteField(object, path(at))).toEqual({ ok: true, value: expected })
  })

  it.each([
    [{ a: [{ b: 'x' }] }, 'a[0].b.c'],
    [{ a: [{ b: 'x' }] }, 'a[0].b[1]'],
    [{ a: 'x' }, 'a.b.c'],
  ])('%j through %s is a FieldTypeMismatch', (object, at) => {
    expect(deleteField(object, path(at))).toMatchObject({ ok: false, error: { code: 'FieldTypeMismatch' } })
  })

  it('nothing there inside of a list: the same object', () => {
    const object = { a: [{ b: 1 }] }
    const result = deleteField(object, path('a[0].c'))
    expect(result.ok && result.value).toBe(object)
  })

  it.each(['x', 'a.x', 'a.x.y', 'l[9]', 'l[9].x'])('nothing at %s: the same object', (at) => {
    const object = { a: {}, l: [1] }
    const result = deleteField(object, path(at))
    expect(result.ok && result.value).toBe(object)
  })
})

describe('properties', () => {
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  const anyKey = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x.y/z'), fc.string({ maxLength: 4 }))
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(anyKey, tie('json')), { maxLength: 4 }).map((entries) => {
        const object: Record<string, unknown> = {}
        for (const [key, value] of entries) setOwn(object, key, value)
        return object
      }),
    ),
  }))
  const concrete = fc.array(fc.oneof(anyKey, fc.nat({ max: 3 })), { minLength: 1, maxLength: 5 }).map((segments) => pathOf(...segments))

  it('get ∘ set: what was written is read; set twice: the last wins; the input is never mutated', () => {
    fc.assert(
      fc.property(json, concrete, json, json, (object, at, one, two) => {
        freeze(object)
        const first = writeField(object, at, one)
        expect(first.ok || first.error.code).toSatisfy((outcome) => outcome === true || outcome === 'FieldTypeMismatch')
        if (!first.ok) return
        expect(fieldOf(first.value, at)).toBe(one)
        const both = writeField(first.value, at, two)
        expect(both).toEqual(writeField(object, at, two))
      }),
    )
  })

  it('delete after set leaves nothing to read (fields)', () => {
    fc.assert(
      fc.property(json, fc.array(anyKey, { minLength: 1, maxLength: 4 }), (object, keys) => {
        const at = pathOf(...keys)
        const written = writeField(freeze(object), at, 1)
        if (!written.ok) return
        const deleted = deleteField(written.value, at)
        expect(deleted.ok && fieldOf(deleted.value, at)).toBeUndefined()
      }),
    )
  })

  it('writing through a wildcard equals a loop over the list', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: fc.integer() }), { maxLength: 6 }), fc.integer(), (list, value) => {
        const object = { spec: { list } }
        const byWildcard = writeField(object, path('spec.list[*].b'), value)
        let byLoop: unknown = object
        list.forEach((_, i) => {
          const next = writeField(byLoop, pathOf('spec', 'list', i, 'b'), value)
          byLoop = next.ok ? next.value : undefined
        })
        expect(byWildcard).toEqual({ ok: true, value: byLoop })
      }),
    )
  })

  it('a wildcard below nothing stands for nothing; below what cannot have fields it is an error that says where', () => {
    const object = { spec: { text: 'x', nothing: null } }
    const expanded = (...segments: string[]) => expandWildcards(object, pathOf(...segments, WILDCARD, 'a'))
    for (const path of [
      ['spec', 'none'],
      ['none', 'deeper'],
      ['spec', 'nothing'],
    ])
      expect(expanded(...path)).toEqual({ ok: true, value: [] })
    for (const path of [
      ['spec', 'text'],
      ['spec', 'text', 'deeper'],
    ])
      expect(expanded(...path)).toMatchObject({ ok: false, error: { code: 'FieldTypeMismatch' } })
  })

  it('every expansion exists up to the wildcard and is concrete', () => {
    fc.assert(
      fc.property(
        json,
        fc.array(fc.oneof(anyKey, fc.constant(WILDCARD as Segment)), { minLength: 1, maxLength: 4 }),
        (object, segments) => {
          const expanded = expandWildcards(object, pathOf(...segments, WILDCARD))
          expect(expanded.ok || expanded.error.code).toSatisfy((outcome) => outcome === true || outcome === 'FieldTypeMismatch')
          const places = expanded.ok ? expanded.value : []
          expect(places.every((one) => !one.hasWildcard && readField(object, one).ok)).toBe(true)
        },
      ),
    )
  })
})
