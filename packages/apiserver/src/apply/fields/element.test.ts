import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalElement, compareElements, elementValue, formatElement, parseElement, sortElements } from './element.ts'

describe('the text of a value', () => {
  it.each([
    { reason: 'text', value: 'a', text: '"a"' },
    { reason: 'a number', value: 1.5, text: '1.5' },
    { reason: 'an integer beyond 2^53', value: 9007199254740993n, text: '9007199254740993' },
    { reason: 'null', value: null, text: 'null' },
    { reason: 'a boolean', value: false, text: 'false' },
    { reason: 'a list', value: [1, 'a', null], text: '[1,"a",null]' },
    { reason: 'a map, its keys in order at every depth', value: { b: [{ d: 1, c: 2 }], a: 'x' }, text: '{"a":"x","b":[{"c":2,"d":1}]}' },
    { reason: 'what HTML would read', value: '<a>&', text: '"\\u003ca\\u003e\\u0026"' },
    { reason: 'line separators', value: '\u2028\u2029', text: '"\\u2028\\u2029"' },
    { reason: 'backspace and form feed', value: '\b\f', text: '"\\u0008\\u000c"' },
    { reason: 'other escapes stay short', value: '\n"\\', text: '"\\n\\"\\\\"' },
  ])('$reason', ({ value, text }) => {
    expect(elementValue(value)).toBe(text)
  })
})

describe('reading an element', () => {
  it.each([
    { text: 'f:a.b', element: { type: 'f', name: 'a.b' } },
    { text: 'f:', element: { type: 'f', name: '' } },
    { text: 'v:"a b"', element: { type: 'v', value: 'a b' } },
    { text: 'v:"a\\"b"', element: { type: 'v', value: 'a"b' } },
    { text: 'v:"\\u0041"', element: { type: 'v', value: 'A' } },
    { text: 'v:9007199254740993', element: { type: 'v', value: 9007199254740993n } },
    { text: 'v:{"a":[1]}', element: { type: 'v', value: { a: [1] } } },
    { text: 'i:12', element: { type: 'i', index: 12 } },
    { text: 'i:-1', element: { type: 'i', index: -1 } },
    {
      text: 'k:{"b":1,"a":null}',
      element: {
        type: 'k',
        fields: [
          ['a', null],
          ['b', 1],
        ],
      },
    },
    { text: 'x:1', element: undefined },
  ])('$text', ({ text, element }) => {
    expect(parseElement(text)).toEqual(element)
  })

  it.each(['', 'f', 'ab', 'i:', 'i:x', 'i:1x', 'i:x1', 'v:', 'v:"a"b"', 'v:a"', 'v:"a\nb"', 'k:1', 'k:[]', 'k:null', 'k:{'])(
    'refuses %j',
    (text) => {
      expect(() => parseElement(text)).toThrow(/\w/)
      expect(() => canonicalElement(text)).toThrow(/\w/)
    },
  )

  it.each([
    { text: 'f:a"b', canonical: 'f:a"b' },
    { text: 'i:+03', canonical: 'i:3' },
    { text: 'v: "<"', canonical: 'v:"\\u003c"' },
    { text: 'k:{"b":{"d":1,"c":2}, "a":"x"}', canonical: 'k:{"a":"x","b":{"c":2,"d":1}}' },
    { text: 'x:1', canonical: undefined },
  ])('$text is $canonical', ({ text, canonical }) => {
    expect(canonicalElement(text)).toBe(canonical)
    // The second time it is remembered.
    expect(canonicalElement(text)).toBe(canonical)
  })
})

describe('an element in a message', () => {
  it.each([
    { text: 'f:name', shown: '.name' },
    { text: 'i:3', shown: '[3]' },
    { text: 'v:"a\\"b"', shown: '[="a\\"b"]' },
    { text: 'v:null', shown: '[=null]' },
    { text: 'v:true', shown: '[=true]' },
    { text: 'v:[1,"a"]', shown: '[=[1,"a"]]' },
    { text: 'v:{"a":1,"b":"x"}', shown: '[=a=1b="x"]' },
    { text: 'k:{"name":"a","port":80}', shown: '[name="a",port=80]' },
    { text: 'x:1', shown: '{{invalid path element}}' },
  ])('$text', ({ text, shown }) => {
    expect(formatElement(text)).toBe(shown)
  })
})

describe('the order of elements', () => {
  /** Each comes before all that follow. */
  const ASCENDING = [
    '.',
    'f:a',
    'f:b',
    'f:ba',
    'k:{"a":1}',
    'k:{"a":1,"b":1}',
    'k:{"a":2}',
    'k:{"a":"x"}',
    'k:{"a":true}',
    'k:{"b":0}',
    'v:-1',
    'v:9',
    'v:10',
    'v:9007199254740993',
    'v:"a"',
    'v:"b"',
    'v:false',
    'v:true',
    'v:[1]',
    'v:[2]',
    'v:{"a":1}',
    'v:{"a":2}',
    'v:null',
    'i:-1',
    'i:2',
    'i:10',
  ]

  it('is total', () => {
    for (const [i, a] of ASCENDING.entries())
      for (const b of ASCENDING.slice(i + 1)) {
        expect([a, b, Math.sign(compareElements(a, b))]).toEqual([a, b, -1])
        expect([b, a, Math.sign(compareElements(b, a))]).toEqual([b, a, 1])
      }
    for (const a of ASCENDING.slice(1)) expect([a, compareElements(a, a)]).toEqual([a, 0])
  })

  it('is the one that they are sorted by', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ASCENDING), (some) => {
        expect(sortElements(some)).toEqual(ASCENDING.filter((element) => some.includes(element)))
      }),
      { seed: 20260101 },
    )
  })
})
