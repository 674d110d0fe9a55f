import { describe, expect, test } from 'vitest'
import { BOOL, DYNAMIC, STRING } from '../value/type.ts'
import { typeToJson } from '../value/type-json.ts'
import { blockType, nestedType } from './block-type.ts'
import { emptyBlock } from './empty-block.ts'
import { block } from './schema.fixture.ts'

const inner = block({ on: BOOL })
const outer = block(
  { id: STRING },
  { one: ['single', inner], always: ['group', inner], many: ['list', inner], any: ['set', inner], by: ['map', inner] },
)

describe('a block', () => {
  test('T62: is an object of its attributes and blocks', () => {
    const on = ['object', { on: 'bool' }]
    expect(typeToJson(blockType(outer))).toEqual([
      'object',
      { id: 'string', one: on, always: on, many: ['list', on], any: ['set', on], by: ['map', on] },
    ])
  })

  test('T62: blocks that hold dynamic values have no common type', () => {
    const dynamic = block({ value: DYNAMIC })
    expect(typeToJson(blockType(block({}, { many: ['list', dynamic], by: ['map', dynamic] })))).toEqual([
      'object',
      { many: 'dynamic', by: 'dynamic' },
    ])
  })

  test('T62: a nested type keeps its collection', () => {
    const { attributes } = block({ a: STRING })
    expect((['single', 'list', 'set', 'map'] as const).map((nesting) => typeToJson(nestedType({ nesting, attributes })))).toEqual([
      ['object', { a: 'string' }],
      ['list', ['object', { a: 'string' }]],
      ['set', ['object', { a: 'string' }]],
      ['map', ['object', { a: 'string' }]],
    ])
  })

  test('T64: with nothing in it has empty collections, not nulls', () => {
    expect(emptyBlock(outer)).toEqual(
      new Map<string, unknown>([
        ['id', null],
        ['one', null],
        ['always', new Map([['on', null]])],
        ['many', []],
        ['any', []],
        ['by', new Map()],
      ]),
    )
  })
})
