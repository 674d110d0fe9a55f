import fc from 'fast-check'
import type { Struct, StructValue } from '../protocol/struct.ts'

const scalar: fc.Arbitrary<StructValue> = fc.oneof(
  fc.constantFrom<StructValue>(null, true, 0, -1, 1.5, 1e21, '', 'a', '12', '10Gi', '{"a":[1]}', 'true', '%s'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 20, unit: 'binary' }),
)
/** Any JSON, with names and texts that have a meaning somewhere. */
export const json: fc.Arbitrary<StructValue> = fc.letrec<{ value: StructValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a.b', '*', '__proto__', ''), tie('value'), { maxKeys: 3 }),
  ),
})).value
export const word = (...words: string[]): fc.Arbitrary<string> => fc.constantFrom(...words)
const optional = <T extends StructValue>(fields: Record<string, fc.Arbitrary<T>>): fc.Arbitrary<Struct> =>
  fc.record(fields, { requiredKeys: [] }) as unknown as fc.Arbitrary<Struct>
/** Any of these fields. */
export const anyFields = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Struct> =>
  optional(fields as Record<string, fc.Arbitrary<StructValue>>)
