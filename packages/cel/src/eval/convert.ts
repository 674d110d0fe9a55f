import { Fault, noSuchOverload } from './fault.ts'
import { intFrom, intFromDouble, uintFrom, uintFromDouble } from './numbers.ts'
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromSeconds,
  unixSeconds,
  checkTimestamp,
} from './time.ts'
import { Double, Duration, Timestamp, Uint, intFromBigInt, isInt, typeName, type Value } from './value.ts'

/** Conversions between types: `int(x)`, `string(x)` and the rest. */
const failed = (value: Value, to: string): Fault => new Fault(`type conversion error from '${typeName(value)}' to '${to}'`)

export function toInt(value: Value): Value {
  if (isInt(value)) return value
  if (value instanceof Double) return intFromDouble(value.value)
  if (value instanceof Uint) return intFrom(BigInt(value.value))
  if (value instanceof Timestamp) return intFromBigInt(unixSeconds(value))
  if (value instanceof Duration) return intFromBigInt(value.nanos)
  if (typeof value === 'string') {
    if (!/^[-+]?\d+$/.test(value)) throw failed(value, 'int')
    return intFrom(BigInt(value.replace(/^\+/, '')))
  }
  throw noSuchOverload()
}

export function toUint(value: Value): Value {
  if (value instanceof Uint) return value
  if (isInt(value)) return new Uint(uintFrom(BigInt(value)))
  if (value instanceof Double) return new Uint(uintFromDouble(value.value))
  if (typeof value === 'string') {
    if (!/^\d+$/.test(value)) throw failed(value, 'uint')
    return new Uint(uintFrom(BigInt(value)))
  }
  throw noSuchOverload()
}

const FLOAT = /^[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)$/
const SPECIAL: Readonly<Record<string, number>> = {
  inf: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '+infinity': Infinity,
  '-infinity': -Infinity,
  nan: Number.NaN,
}

export function toDouble(value: Value): Value {
  if (value instanceof Double) return value
  if (isInt(value)) return new Double(Number(value))
  if (value instanceof Uint) return new Double(Number(value.value))
  if (typeof value === 'string') {
    const special = SPECIAL[value.toLowerCase()]
    if (special !== undefined) return new Double(special)
    if (!FLOAT.test(value)) throw failed(value, 'double')
    return new Double(Number(value))
  }
  throw noSuchOverload()
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || isInt(value)) return String(value)
  if (value instanceof Double) return formatDouble(value.value)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Uint8Array) {
    try {
      return decoder.decode(value)
    } catch {
      throw new Fault('invalid UTF-8 in bytes, cannot convert to string')
    }
  }
  throw noSuchOverload()
}

/** A double as Go's `%g` writes it with the fewest digits. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21) return plain(value)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Without an exponent: JavaScript switches to one below 1e-6. */
function plain(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent = '0'] = text.split('e')
  const digits = mantissa.replace('-', '').replace('.', '')
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(-Number(exponent) - 1)}${digits}`
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string') return encoder.encode(value)
  throw noSuchOverload()
}

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') throw noSuchOverload()
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) return false
  throw failed(value, 'bool')
}

export function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value
  if (isInt(value)) return timestampFromSeconds(BigInt(value))
  if (typeof value !== 'string') throw noSuchOverload()
  const nanos = parseTimestamp(value)
  if (nanos === undefined) throw failed(value, 'google.protobuf.Timestamp')
  return checkTimestamp(nanos)
}

export function toDuration(value: Value): Value {
  if (value instanceof Duration) return value
  if (isInt(value)) return new Duration(BigInt(value))
  if (typeof value !== 'string') throw noSuchOverload()
  const nanos = parseDuration(value)
  if (nanos === undefined) throw failed(value, 'google.protobuf.Duration')
  return new Duration(nanos)
}
