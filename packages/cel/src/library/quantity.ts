import { NANO, parseQuantity } from '@weft/api'
import { STRING_FACTOR, scale } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { Double, OpaqueValue, intFromBigInt, sizeOf, type Int, type Value } from '../eval/value.ts'
import { BOOL, DOUBLE, INT, STRING, opaqueType, type OpaqueType } from '../types/type.ts'
import { fn, memberOverload, overload, type Library, type Overload } from './library.ts'

/** Kubernetes' resource quantities: `quantity('1.5Gi').isGreaterThan(quantity('1G'))`. */
const QUANTITY_TYPE: OpaqueType = opaqueType('kubernetes.Quantity')

/** Exact, in billionths: Kubernetes keeps no more than nine decimals. */
class QuantityValue extends OpaqueValue {
  readonly type: OpaqueType = QUANTITY_TYPE
  readonly nanos: bigint
  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && other.nanos === this.nanos
  }
}

function toQuantity(text: string): QuantityValue {
  const nanos = parseQuantity(text)
  if (typeof nanos !== 'bigint') throw new Fault(nanos.error)
  return new QuantityValue(nanos)
}

const MAX_INT = 2n ** 63n - 1n

function asInteger({ nanos }: QuantityValue): Int | undefined {
  const whole = nanos / NANO
  return nanos % NANO === 0n && whole <= MAX_INT && whole >= -MAX_INT - 1n ? intFromBigInt(whole) : undefined
}

const order = (a: QuantityValue, b: QuantityValue): number => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0)

const parsing: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([text]) => Math.ceil(sizeOf(text as Value) * STRING_FACTOR),
  estimate: ({ args: [text] }) => (text === undefined ? undefined : { cost: scale(text.size, STRING_FACTOR) }),
}

const PAIR = [QUANTITY_TYPE, QUANTITY_TYPE]
const sign = ({ nanos }: QuantityValue): Int => (nanos < 0n ? -1 : nanos > 0n ? 1 : 0)

export const QUANTITY: Library = {
  name: 'kubernetes.quantity',
  types: { 'kubernetes.Quantity': QUANTITY_TYPE },
  functions: [
    fn('quantity', overload('string_to_quantity', [STRING], QUANTITY_TYPE, toQuantity, parsing)),
    fn(
      'isQuantity',
      overload('is_quantity_string', [STRING], BOOL, (text: string) => typeof parseQuantity(text) === 'bigint', parsing),
    ),
    fn('sign', overload('quantity_sign', [QUANTITY_TYPE], INT, sign), memberOverload('quantity_sign_member', [QUANTITY_TYPE], INT, sign)),
    fn(
      'isGreaterThan',
      memberOverload('quantity_is_greater_than', PAIR, BOOL, (a: QuantityValue, b: QuantityValue) => order(a, b) > 0),
    ),
    fn(
      'isLessThan',
      memberOverload('quantity_is_less_than', PAIR, BOOL, (a: QuantityValue, b: QuantityValue) => order(a, b) < 0),
    ),
    fn('compareTo', memberOverload('quantity_compare_to', PAIR, INT, order)),
    fn(
      'asApproximateFloat',
      memberOverload('quantity_get_float', [QUANTITY_TYPE], DOUBLE, (q: QuantityValue) => new Double(Number(q.nanos) / 1e9)),
    ),
    fn(
      'asInteger',
      memberOverload('quantity_get_int', [QUANTITY_TYPE], INT, (q: QuantityValue) => {
        const value = asInteger(q)
        if (value === undefined) throw new Fault('cannot convert value to integer')
        return value
      }),
    ),
    fn(
      'isInteger',
      memberOverload('quantity_is_integer', [QUANTITY_TYPE], BOOL, (q: QuantityValue) => asInteger(q) !== undefined),
    ),
    fn(
      'add',
      memberOverload('quantity_add', PAIR, QUANTITY_TYPE, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.nanos + b.nanos)),
      memberOverload(
        'quantity_add_int',
        [QUANTITY_TYPE, INT],
        QUANTITY_TYPE,
        (a: QuantityValue, b: Int) => new QuantityValue(a.nanos + BigInt(b) * NANO),
      ),
    ),
    fn(
      'sub',
      memberOverload('quantity_sub', PAIR, QUANTITY_TYPE, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.nanos - b.nanos)),
      memberOverload(
        'quantity_sub_int',
        [QUANTITY_TYPE, INT],
        QUANTITY_TYPE,
        (a: QuantityValue, b: Int) => new QuantityValue(a.nanos - BigInt(b) * NANO),
      ),
    ),
  ],
}
