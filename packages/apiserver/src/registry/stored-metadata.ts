import type { KubeObject } from '@weft/api'

/** As objects are stored: what names their kind comes first. */
const HEAD = /^\{"apiVersion":"[^"\\]*","kind":"[^"\\]*","metadata":(?=\{)/
/** Longer than any group, version and kind. */
const HEAD_BYTES = 1024
const MANAGED_FIELDS = Buffer.from(',"managedFields":')

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * The metadata of an object, from its JSON, without the managed fields: they and what follows the metadata are most of an object, and
 * are stepped over. Undefined where the JSON is laid out otherwise, and all of it has to be read.
 */
export function metadataIn(json: Buffer): KubeObject['metadata'] | undefined {
  const start = HEAD.exec(json.toString('latin1', 0, HEAD_BYTES))?.[0].length
  if (start === undefined) return undefined
  const end = endOf(json, start)
  const managed = json.subarray(start, end).indexOf(MANAGED_FIELDS)
  // Labels and annotations hold strings alone, in which a quote is escaped: the word with its quotes is a field of the metadata.
  const text =
    managed < 0
      ? json.toString('utf8', start, end)
      : json.toString('utf8', start, start + managed) + json.toString('utf8', endOf(json, start + managed + MANAGED_FIELDS.length), end)
  try {
    return JSON.parse(text) as KubeObject['metadata']
  } catch {
    return undefined
  }
}

/** Where the object or list that begins at `start` has ended. */
function endOf(json: Buffer, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (quoted) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1
  }
  return json.length
}
