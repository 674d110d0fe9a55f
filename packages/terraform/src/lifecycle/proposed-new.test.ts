import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockType } from '../schema/block-type.ts'
import { emptyBlock } from '../schema/empty-block.ts'
import type { Block } from '../schema/schema.ts'
import { type AttributeFixture, block, COMPUTED, OPTIONAL_COMPUTED } from '../schema/schema.fixture.ts'
import { anyValue } from '../value/arbitrary.fixture.ts'
import { equalValues } from '../value/compare-values.ts'
import { decodeJson, encodeJson } from '../value/json.ts'
import { listOf, NUMBER, setOf, STRING } from '../value/type.ts'
import { isMap, isWhollyKnown, UNKNOWN, type Value } from '../value/value.ts'
import { proposedNew } from './proposed-new.ts'

/** Values as JSON: what is absent is null, blocks are empty. */
function valueOf(of: Block, json: object | null): Value {
  if (json === null) return null
  const given = decodeJson(blockType(of), JSON.stringify(json))
  const value = new Map(isMap(given) ? given : [])
  for (const [name, empty] of emptyBlock(of)) if (value.get(name) === null) value.set(name, empty)
  return value
}

const rule: Record<string, AttributeFixture> = { port: NUMBER, mark: [STRING, OPTIONAL_COMPUTED] }
const ruleBlock = block(rule)
const part = block({ label: STRING, mark: [STRING, OPTIONAL_COMPUTED], tags: setOf(STRING) })

const cases: { reason: string; schema: Block; prior: object | null; config: object | null; proposed: object | null }[] = [
  { reason: 'T77a: nothing and nothing', schema: block({ a: STRING }), prior: null, config: null, proposed: null },
  {
    reason: 'T77c: what is to go stays as it is',
    schema: block({ a: STRING }),
    prior: { a: 'x' },
    config: null,
    proposed: { a: 'x' },
  },
  {
    reason: 'T78, T80: computed attributes keep what they were, others follow the configuration, null too',
    schema: block({ id: [STRING, COMPUTED], note: [STRING, OPTIONAL_COMPUTED], name: STRING, size: NUMBER }),
    prior: { id: '1', note: 'n', name: 'a', size: 3 },
    config: { name: 'b' },
    proposed: { id: '1', note: 'n', name: 'b', size: null },
  },
  {
    reason: 'T78: what is configured wins over what was computed',
    schema: block({ note: [STRING, OPTIONAL_COMPUTED] }),
    prior: { note: 'theirs' },
    config: { note: 'ours' },
    proposed: { note: 'ours' },
  },
  {
    reason: 'T78: nested parts that only a configuration can have set go with it',
    schema: block({ one: ['single', { a: STRING, b: [STRING, COMPUTED] }, OPTIONAL_COMPUTED] }),
    prior: { one: { a: 'configured', b: 'c' } },
    config: {},
    proposed: { one: null },
  },
  {
    reason: 'T78: nested parts that were all computed stay',
    schema: block({ one: ['single', { a: STRING, b: [STRING, COMPUTED] }, OPTIONAL_COMPUTED] }),
    prior: { one: { b: 'c' } },
    config: {},
    proposed: { one: { a: null, b: 'c' } },
  },
  {
    reason: 'T78: also deep inside lists',
    schema: block({ many: ['list', { deep: ['map', { a: STRING, b: [STRING, COMPUTED] }, COMPUTED] }, OPTIONAL_COMPUTED] }),
    prior: { many: [{ deep: { k: { a: 'configured' } } }] },
    config: {},
    proposed: { many: null },
  },
  {
    reason: 'T79: a nested object is merged, with or without one before',
    schema: block({ one: ['single', rule] }),
    prior: { one: { port: 1, mark: 'm' } },
    config: { one: { port: 2 } },
    proposed: { one: { port: 2, mark: 'm' } },
  },
  {
    reason: 'T79: nested lists go by place, and a new element is taken as it is',
    schema: block({ many: ['list', rule] }),
    prior: { many: [{ port: 1, mark: 'm' }] },
    config: { many: [{ port: 2 }, { port: 3 }] },
    proposed: {
      many: [
        { port: 2, mark: 'm' },
        { port: 3, mark: null },
      ],
    },
  },
  {
    reason: 'T79: nested maps go by key',
    schema: block({ by: ['map', rule] }),
    prior: { by: { a: { port: 1, mark: 'm' }, gone: { port: 9, mark: 'g' } } },
    config: { by: { b: { port: 2 }, a: { port: 3 } } },
    proposed: { by: { b: { port: 2, mark: null }, a: { port: 3, mark: 'm' } } },
  },
  {
    reason: 'T79: an empty list is not nothing',
    schema: block({ many: ['list', rule] }),
    prior: { many: [{ port: 1 }] },
    config: { many: [] },
    proposed: { many: [] },
  },
  {
    reason: 'T81: a single block that is not configured is none, and one that is is merged with none',
    schema: block({}, { gone: ['single', part], come: ['single', part] }),
    prior: { gone: { label: 'a', mark: 'm' } },
    config: { come: { label: 'b' } },
    proposed: { gone: null, come: { label: 'b', mark: null, tags: null } },
  },
  {
    reason: 'T81: a group is always there, and keeps what was computed',
    schema: block({}, { always: ['group', part] }),
    prior: { always: { label: 'a', mark: 'm' } },
    config: { always: { label: null } },
    proposed: { always: { label: null, mark: 'm', tags: null } },
  },
  {
    reason: 'T81: lists of blocks go by place',
    schema: block({}, { many: ['list', ruleBlock] }),
    prior: {
      many: [
        { port: 1, mark: 'one' },
        { port: 2, mark: 'two' },
      ],
    },
    config: { many: [{ port: 2 }] },
    proposed: { many: [{ port: 2, mark: 'one' }] },
  },
  {
    reason: 'T81: maps of blocks go by key',
    schema: block({}, { by: ['map', ruleBlock] }),
    prior: { by: { a: { port: 1, mark: 'one' } } },
    config: { by: { a: { port: 2 }, b: { port: 3 } } },
    proposed: { by: { a: { port: 2, mark: 'one' }, b: { port: 3, mark: null } } },
  },
  {
    reason: 'T82: an element of a set keeps what was computed for one that it could have been',
    schema: block({}, { any: ['set', ruleBlock] }),
    prior: {
      any: [
        { port: 1, mark: 'one' },
        { port: 2, mark: 'two' },
      ],
    },
    config: { any: [{ port: 3 }, { port: 2 }] },
    proposed: {
      any: [
        { port: 2, mark: 'two' },
        { port: 3, mark: null },
      ],
    },
  },
  {
    reason: 'T82: each element of before is used once',
    schema: block({ any: ['set', { port: NUMBER, mark: [STRING, OPTIONAL_COMPUTED], extra: [STRING, OPTIONAL_COMPUTED] }] }),
    prior: { any: [{ port: 1, mark: 'x', extra: 'e' }] },
    config: { any: [{ port: 1 }, { port: 1, mark: 'x' }] },
    proposed: {
      any: [
        { port: 1, mark: 'x', extra: 'e' },
        { port: 1, mark: null, extra: null },
      ],
    },
  },
  {
    reason: 'T82: a set inside an element must be the same as a whole',
    schema: block({}, { any: ['set', part] }),
    prior: { any: [{ label: 'a', mark: 'm', tags: ['x'] }] },
    config: { any: [{ label: 'a', tags: ['x', 'y'] }] },
    proposed: { any: [{ label: 'a', mark: null, tags: ['x', 'y'] }] },
  },
  {
    reason: 'T82: a shorter list inside rules it out, a longer one goes unnoticed',
    schema: block({ any: ['set', { items: ['list', { a: STRING }], mark: [STRING, COMPUTED] }] }),
    prior: {
      any: [
        { items: [{ a: '1' }, { a: '2' }], mark: 'long' },
        { items: [{ a: '9' }], mark: 'short' },
      ],
    },
    config: { any: [{ items: [{ a: '1' }] }, { items: [{ a: '9' }, { a: '8' }] }] },
    proposed: {
      any: [
        { items: [{ a: '1' }], mark: null },
        { items: [{ a: '9' }, { a: '8' }], mark: 'short' },
      ],
    },
  },
  {
    reason: 'elements that become the same are one',
    schema: block({ any: ['set', { a: [STRING, COMPUTED] }] }),
    prior: {},
    config: { any: [{}] },
    proposed: { any: [{ a: null }] },
  },
]

describe('proposedNew', () => {
  test.each(cases)('$reason', ({ schema, prior, config, proposed }) => {
    const result = proposedNew(schema, valueOf(schema, prior), valueOf(schema, config))
    const expected = valueOf(schema, proposed)
    expect(equalValues(blockType(schema), result, expected), encodeJson(blockType(schema), result)).toBe(true)
  })

  test('T79, T81: what is not known yet stays so', () => {
    const schema = block({ one: ['single', rule], a: STRING }, { many: ['list', ruleBlock] })
    const config = new Map<string, Value>([
      ['one', UNKNOWN],
      ['a', UNKNOWN],
      ['many', UNKNOWN],
    ])
    expect(proposedNew(schema, null, config)).toEqual(config)
  })

  const schema = block(
    {
      id: [STRING, COMPUTED],
      name: STRING,
      items: listOf(STRING),
      members: setOf(STRING),
      one: ['single', rule],
      many: ['list', rule],
      any: ['set', { port: NUMBER, label: STRING }],
      by: ['map', rule],
    },
    { blocks: ['list', ruleBlock], sets: ['set', part], maybe: ['single', part] },
  )
  const any = anyValue(blockType(schema), { unknown: false })

  test('T201: proposing what is there already proposes nothing new', () => {
    fc.assert(
      fc.property(any, (state) => {
        fc.pre(state !== null && isWhollyKnown(state))
        const once = proposedNew(schema, state, state)
        expect(equalValues(blockType(schema), proposedNew(schema, once, once), once)).toBe(true)
      }),
    )
  })

  test('T201: what only a configuration sets is what it says', () => {
    fc.assert(
      fc.property(any, any, (prior, config) => {
        fc.pre(isMap(config))
        const proposed = proposedNew(schema, prior, config)
        for (const name of ['name', 'items', 'members']) {
          const type = schema.attributes.get(name)?.type
          const [now, wanted] = [isMap(proposed) ? proposed.get(name) : undefined, isMap(config) ? config.get(name) : undefined]
          expect(type !== undefined && equalValues(type, now ?? null, wanted ?? null)).toBe(true)
        }
      }),
    )
  })

  test('T201: the order of a set changes nothing', () => {
    fc.assert(
      fc.property(any, any, (prior, config) => {
        fc.pre(isMap(prior) && isMap(config))
        if (!isMap(prior) || !isMap(config)) return
        const turned = (value: ReadonlyMap<string, Value>): Value =>
          new Map(
            [...value].map(([name, member]) => [
              name,
              ['members', 'any', 'sets'].includes(name) && Array.isArray(member) ? member.toReversed() : member,
            ]),
          )
        expect(equalValues(blockType(schema), proposedNew(schema, turned(prior), turned(config)), proposedNew(schema, prior, config))).toBe(
          true,
        )
      }),
    )
  })
})
