import { isMap, type Value } from '@weft/terraform'

const PLACEHOLDER = /\{([a-z0-9_]+)\}/g

/** What `{zone}/{name}` is for these values; undefined where one of them is not known, or there is no format. */
export function formatName(format: string | undefined, value: Value): string | undefined {
  if (format === undefined || !isMap(value)) return undefined
  let whole = true
  const name = format.replaceAll(PLACEHOLDER, (_all, attribute: string) => {
    const part = value.get(attribute)
    const text = typeof part === 'string' ? part : typeof part === 'bigint' || typeof part === 'number' ? String(part) : ''
    whole &&= text !== ''
    return text
  })
  return whole ? name : undefined
}
