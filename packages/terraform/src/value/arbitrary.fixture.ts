import fc from 'fast-check'
import { Decimal } from './decimal.ts'
import { BOOL, DYNAMIC, listOf, mapOf, NUMBER, objectOf, setOf, STRING, tupleOf, type Type } from './type.ts'
import { Dynamic, UNKNOWN, Unknown, type Value } from './value.ts'

const names = fc.constantFrom('id', 'name', 'tags', 'size_gb', '__proto__', 'constructor')

/** Random types; a type holds no dynamic part inside a collection, whose elements have one type. */
export const anyType: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(STRING, NUMBER, BOOL, DYNAMIC),
    tie('type').map(listOf),
    tie('type').map(setOf),
    tie('type').map(mapOf),
    fc.array(tie('type'), { maxLength: 3 }).map(tupleOf),
    fc
      .uniqueArray(fc.tuple(names, tie('type')), { maxLength: 4, selector: ([name]) => name })
      .map((attributes) => objectOf(new Map(attributes))),
  ),
})).type

/** T200: bounds of every form of a number. */
const numbers: fc.Arbitrary<Decimal> = fc.oneof(
  fc.bigInt().map((number) => Decimal.of(number)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => Decimal.of(number)),
  fc.constantFrom(...['0', '-0', '1.1', '1e400', '-1e-400', '0.1'].map((text) => Decimal.of(text))),
  fc
    .tuple(fc.constantFrom(5n, 7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n, 65n), fc.integer({ min: -1, max: 1 }), fc.boolean())
    .map(([power, off, minus]) => Decimal.of((minus ? -1n : 1n) * 2n ** power + BigInt(off))),
)

const unknowns: fc.Arbitrary<Unknown> = fc.oneof(
  fc.constant(UNKNOWN),
  fc.uint8Array({ minLength: 0, maxLength: 40 }).map((body) => new Unknown(body)),
)

interface Content {
  /** Values that are not known yet, as in plans. */
  readonly unknown: boolean
}

/** Random values of a type. */
export function anyValue(type: Type, content: Content): fc.Arbitrary<Value> {
  const known = knownValue(type, content)
  return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: fc.constant(null) }, ...(content.unknown ? [unknowns] : []))
}

function knownValue(type: Type, content: Content): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.normalize('NFC'))
    case 'bool':
      return fc.boolean()
    case 'number':
      return numbers
    case 'dynamic':
      return fc
        .constantFrom(STRING, NUMBER, BOOL, listOf(STRING), objectOf({ a: NUMBER }))
        .chain((actual) => anyValue(actual, content).map((value) => new Dynamic(actual, value)))
    case 'list':
    case 'set':
      return fc.array(anyValue(type.element, content), { maxLength: 20 })
    case 'map':
      return fc.dictionary(fc.string(), anyValue(type.element, content), { maxKeys: 20 }).map((map) => new Map(Object.entries(map)))
    case 'tuple':
      return fc.tuple(...type.elements.map((element) => anyValue(element, content))) as fc.Arbitrary<Value[]>
    case 'object': {
      const attributes = [...type.attributes]
      return fc
        .tuple(...attributes.map(([, of]) => anyValue(of, content)))
        .map((values) => new Map(attributes.map(([name], index) => [name, values[index] ?? null])))
    }
    default:
      return type satisfies never
  }
}
