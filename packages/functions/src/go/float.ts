/**
 * strconv.FormatFloat: `e E f g G b x X`. A precision of -1 is the fewest digits that tell the number apart. Others round the exact decimal
 * value, halves to even, which JavaScript does not.
 */
export function formatFloat(value: number, verb: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (size === Number.POSITIVE_INFINITY) return sign === '' ? '+Inf' : '-Inf'
  switch (verb) {
    case 'b':
      return sign + binary(size)
    case 'x':
    case 'X':
      return sign + hexadecimal(size, verb, precision)
    case 'e':
    case 'E': {
      const digits = precision < 0 ? shortest(size) : roundDigits(exact(size), precision + 1)
      return sign + exponential(digits, precision < 0 ? digits.text.length - 1 : precision, verb)
    }
    case 'f': {
      const digits = precision < 0 ? shortest(size) : roundPlaces(exact(size), precision)
      return sign + fixed(digits, precision < 0 ? Math.max(digits.text.length - digits.point, 0) : precision)
    }
    default:
      return sign + general(size, verb, precision)
  }
}

/** 0.TEXT × 10^point, without zeros at either end; zero has no digits. */
interface Digits {
  readonly text: string
  readonly point: number
}

function shortest(size: number): Digits {
  if (size === 0) return { text: '', point: 0 }
  const [mantissa = '', exponent] = size.toExponential().split('e')
  return { text: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

function exact(size: number): Digits {
  if (size === 0) return { text: '', point: 0 }
  const { mantissa, exponent } = parts(size)
  // m × 2^-n is m × 5^n × 10^-n.
  const text = exponent >= 0 ? (mantissa << BigInt(exponent)).toString() : (mantissa * 5n ** BigInt(-exponent)).toString()
  return trimmed(text, text.length + Math.min(exponent, 0))
}

const trimmed = (text: string, point: number): Digits => {
  const kept = text.replace(/0+$/, '')
  return { text: kept, point: kept === '' ? 0 : point }
}

/** size = mantissa × 2^exponent */
function parts(size: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  return biased === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 }
}

/** The first `count` digits, rounded. */
function roundDigits({ text, point }: Digits, count: number): Digits {
  if (count >= text.length) return { text, point }
  if (count < 0) return { text: '', point: 0 }
  const rest = text.slice(count)
  const kept = text.slice(0, count)
  const isHalf = rest === '5'
  const up = isHalf ? count > 0 && Number(kept.slice(-1)) % 2 === 1 : rest >= '5'
  if (!up) return trimmed(kept, point)
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString()
  return trimmed(raised, point + (raised.length - count))
}

const roundPlaces = (digits: Digits, places: number): Digits => roundDigits(digits, digits.point + places)

function fixed({ text, point }: Digits, places: number): string {
  const whole = point > 0 ? text.slice(0, point).padEnd(point, '0') : '0'
  if (places <= 0) return whole
  const fraction = point > 0 ? text.slice(point) : '0'.repeat(Math.min(-point, places)) + text
  return `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`
}

function exponential({ text, point }: Digits, places: number, verb: string): string {
  const first = text === '' ? '0' : text.slice(0, 1)
  const fraction = places > 0 ? `.${text.slice(1, places + 1).padEnd(places, '0')}` : ''
  const exponent = text === '' ? 0 : point - 1
  return `${first}${fraction}${verb}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function general(size: number, verb: string, precision: number): string {
  const isShortest = precision < 0
  const count = precision === 0 ? 1 : precision
  const digits = isShortest ? shortest(size) : roundDigits(exact(size), count)
  const length = digits.text.length
  const wanted = isShortest ? 6 : count
  let limit = wanted
  if (!isShortest && limit > length && length >= digits.point) limit = length
  const exponent = digits.point - 1
  if (exponent < -4 || exponent >= limit) {
    const most = isShortest || wanted > length ? length : wanted
    return exponential(digits, most - 1, verb === 'G' ? 'E' : 'e')
  }
  return fixed(digits, Math.max(length - digits.point, 0))
}

function binary(size: number): string {
  const { mantissa, exponent } = parts(size)
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
}

function hexadecimal(size: number, verb: string, precision: number): string {
  let { mantissa, exponent } = parts(size)
  const word = (1n << 64n) - 1n
  exponent = mantissa === 0n ? 0 : exponent + 52
  mantissa <<= 8n
  while (mantissa !== 0n && (mantissa & (1n << 60n)) === 0n) {
    mantissa <<= 1n
    exponent--
  }
  if (precision >= 0 && precision < 15) {
    const shift = BigInt(precision * 4)
    const extra = (mantissa << shift) & word & ((1n << 60n) - 1n)
    mantissa >>= 60n - shift
    if ((extra | (mantissa & 1n)) > 1n << 59n) mantissa++
    mantissa <<= 60n - shift
    if ((mantissa & (1n << 61n)) !== 0n) {
      mantissa >>= 1n
      exponent++
    }
  }
  const lead = (mantissa >> 60n) & 1n
  let fraction = ''
  mantissa = (mantissa << 4n) & word
  const digits = mantissa.toString(16).padStart(16, '0')
  if (precision < 0) fraction = digits.replace(/0+$/, '')
  else fraction = digits.slice(0, precision).padEnd(precision, '0')
  const text = `0x${lead}${fraction === '' ? '' : `.${fraction}`}p${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  return verb === 'X' ? text.toUpperCase() : text
}
