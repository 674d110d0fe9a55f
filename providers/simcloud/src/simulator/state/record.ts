import { crc32 } from 'node:zlib'
import { parseJson, stringifyJson } from '@weft/api'

/** One line of the log: a checksum, a space, JSON. The newline belongs to the record: without it the line is torn. */
export function encodeRecord(value: unknown): string {
  const json = stringifyJson(value)
  return `${checksum(json)} ${json}\n`
}

/** Undefined if the line is not what was written. */
export function decodeRecord(line: string): unknown {
  const json = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) return undefined
  return parseJson(json).value
}

const checksum = (json: string): string => crc32(json).toString(16).padStart(8, '0')
