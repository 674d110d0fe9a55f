import { deepEqual, getOwn, isJsonObject, type KubeObject, type Schema, StatusError, withMeta } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply } from './apply.ts'
import { type FieldSet, hasPath, pathsOf } from './fields/field-set.ts'
import { decodeFieldsV1 } from './fields/fields-v1.ts'
import { itemElement } from './typed/list-items.ts'
import { decodeManagedFields } from './managed-fields.ts'
import { trackUpdate } from './track-update.ts'
import { rootType, type Type } from './typed/type.ts'

const word: Schema = { type: 'string' }
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: word,
        struct: { type: 'object', properties: { x: word, y: word } },
        map: { type: 'object', additionalProperties: word },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: word },
        list: { type: 'array', items: word },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: word },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: word, v: word } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}
const type = rootType(schema)

const letter = fc.constantFrom('p', 'q', 'r')
const words = fc.dictionary(fc.constantFrom('k', 'l', 'constructor'), letter, { maxKeys: 3, noNullPrototype: true })
const spec = fc.record(
  {
    a: letter,
    struct: fc.record({ x: letter, y: letter }, { requiredKeys: [], noNullPrototype: true }),
    map: words,
    whole: words,
    list: fc.array(letter, { maxLength: 2 }),
    set: fc.uniqueArray(letter, { maxLength: 3 }),
    items: fc.uniqueArray(fc.record({ name: letter, v: letter }, { requiredKeys: ['name'], noNullPrototype: true }), {
      selector: ({ name }) => name,
      maxLength: 3,
    }),
    free: fc.dictionary(fc.constantFrom('m', 'n'), fc.oneof(letter, words, fc.array(letter, { maxLength: 2 })), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const write = fc.record({
  kind: fc.constantFrom('apply', 'force', 'update' as const),
  manager: fc.constantFrom('one', 'two', 'three'),
  spec,
})
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

const object = (content: unknown): KubeObject => ({ apiVersion: 'g/v1', kind: 'K', metadata: { name: 'a' }, spec: content })

/** What a server would store; a conflict leaves the object as it is. */
function perform(live: KubeObject | undefined, { kind, manager, spec: content }: Write, time: string): KubeObject | undefined {
  const context = { apiVersion: 'g/v1', schema, manager, time }
  try {
    const result =
      kind === 'update'
        ? trackUpdate({ ...context, live, next: live === undefined ? object(content) : { ...live, spec: content } })
        : apply({ ...context, live, applied: object(content), force: kind === 'force' })
    return result === live ? live : withMeta(result, { uid: '1' })
  } catch (error) {
    if (error instanceof StatusError && error.is('Conflict')) return live
    throw error
  }
}

const history = (writes: readonly Write[]): KubeObject | undefined =>
  writes.reduce<KubeObject | undefined>(
    (live, one, second) => perform(live, one, `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`),
    undefined,
  )

const setsOf = (live: KubeObject | undefined): { manager: string; operation: string; set: FieldSet }[] =>
  Array.from(decodeManagedFields(live?.metadata.managedFields ?? []).values())

function valueAt(value: unknown, at: Type, path: readonly string[]): unknown {
  const [element, ...rest] = path
  if (element === undefined) return value
  if (element.startsWith('f:')) {
    const name = element.slice(2)
    const map = at.map
    if (!isJsonObject(value) || map === undefined) return undefined
    return valueAt(getOwn(value, name), map.field(name)?.type ?? map.element ?? {}, rest)
  }
  const { list } = at
  const item = Array.isArray(value) && list !== undefined ? value.find((one) => itemElement(list, one) === element) : undefined
  return item === undefined || list === undefined ? undefined : valueAt(item, list.element, rest)
}

// One seed, so that a failure is the same for everybody; more runs find more.
const ALWAYS = { seed: 20260101, numRuns: 200 }

describe('whatever is written', () => {
  it('applying the same again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 5 }), write, (writes, last) => {
        // As in Kubernetes, an empty associative list says nothing, hence is pruned with its items and then set again;
        // and who owns nothing at all leaves an object that looks as if it had never been tracked.
        const { set = [], items = [], ...rest } = last.spec
        const said: Write['spec'] = { a: 'p', ...rest, ...(set.length > 0 && { set }), ...(items.length > 0 && { items }) }
        const again: Write = { ...last, kind: 'force', spec: said }
        const once = perform(history(writes), again, '2026-01-01T00:01:00Z')
        // What it emptied is null, which a schema would have refused.
        fc.pre(!JSON.stringify(once).includes(':null'))
        expect(perform(once, again, '2026-01-01T00:02:00Z')).toBe(once)
      }),
      ALWAYS,
    )
  })

  it('an applier gets what it applies, and owns it', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 5 }), write, (writes, last) => {
        const result = perform(history(writes), { ...last, kind: 'force' }, '2026-01-01T00:01:00Z') as KubeObject
        const own = setsOf(result).find(({ manager, operation }) => manager === last.manager && operation === 'Apply')
        for (const path of own === undefined ? [] : pathsOf(own.set)) {
          const applied = valueAt(object(last.spec), type, path)
          const actual = valueAt(result, type, path)
          expect(actual).not.toBe(undefined)
          expect(typeof applied === 'object' || actual === applied).toBe(true)
        }
      }),
      ALWAYS,
    )
  })

  it('what is owned exists', () => {
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 8 }), (writes) => {
        const live = history(writes)
        for (const { set } of setsOf(live)) for (const path of pathsOf(set)) expect(valueAt(live, type, path)).not.toBe(undefined)
      }),
      ALWAYS,
    )
  })

  it('an apply without force never changes what others own', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 6 }), write, (writes, last) => {
        const before = history(writes)
        const after = perform(before, { ...last, kind: 'apply' }, '2026-01-01T00:01:00Z')
        for (const { manager, operation, set } of setsOf(before)) {
          if (manager === last.manager && operation === 'Apply') continue
          const kept = setsOf(after).find((one) => one.manager === manager && one.operation === operation)?.set ?? {}
          for (const path of pathsOf(set)) {
            // Who owns a list item alone removes it with all that others put into it, as in Kubernetes.
            const item = path.findIndex((element) => element.startsWith('k:'))
            if (item >= 0 && !hasPath(set, path.slice(0, item + 1))) continue
            const [was, is] = [valueAt(before, type, path), valueAt(after, type, path)]
            expect(is).not.toBe(undefined)
            expect(typeof was === 'object' || is === was).toBe(true)
            expect(hasPath(kept, path)).toBe(true)
          }
        }
      }),
      ALWAYS,
    )
  })

  it('two owners of a leaf have said the same: a changed leaf has one owner', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 6 }), write, (writes, last) => {
        const before = history(writes)
        const after = perform(before, { ...last, kind: 'update' }, '2026-01-01T00:01:00Z')
        for (const { manager, operation, set } of setsOf(after)) {
          if (manager === last.manager && operation === 'Update') continue
          for (const path of pathsOf(set)) {
            const [was, is] = [valueAt(before, type, path), valueAt(after, type, path)]
            expect((typeof was === 'object' && typeof is === 'object') || is === was).toBe(true)
          }
        }
      }),
      ALWAYS,
    )
  })

  it('stored sets are canonical, and a write that changes nothing keeps the very same list', () => {
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 8 }), (writes) => {
        const live = history(writes)
        if (live === undefined) return
        for (const { fieldsV1 } of live.metadata.managedFields ?? []) expect(decodeFieldsV1(fieldsV1)).toBe(fieldsV1)
        const echoed = JSON.parse(JSON.stringify(live)) as KubeObject
        const result = trackUpdate({ apiVersion: 'g/v1', schema, manager: 'x', time: '2026-01-01T00:05:00Z', live, next: echoed })
        expect(result.metadata.managedFields).toBe(live.metadata.managedFields)
      }),
      ALWAYS,
    )
  })

  it('inputs are never written to', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 4 }), write, (writes, last) => {
        const before = history(writes)
        const copy = JSON.stringify(before)
        const said = JSON.stringify(last)
        perform(freeze(before), freeze(last), '2026-01-01T00:01:00Z')
        expect(JSON.stringify(before)).toBe(copy)
        expect(JSON.stringify(last)).toBe(said)
        expect(deepEqual(before, before)).toBe(true)
      }),
      ALWAYS,
    )
  })
})

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member)
  }
  return value
}
