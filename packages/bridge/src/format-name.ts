import { Decimal, isMap, type Value } from '@weft/terraform'

const PLACEHOLDER = /\{([a-z0-9_]+)\}/g

/** What `{zone}/{name}` is for these values; undefined where one of them is not known, or there is no format. */
export function formatName(format: string | undefined, value: Value): string | undefined {
  if (format === undefined || !isMap(value)) return undefined
  let whole = true
  const name = format.replaceAll(PLACEHOLDER, (_all, attribute: string) => {
    const text = nameText(value.get(attribute))
    whole &&= text !== undefined
    return text ?? ''
  })
  return whole ? name : undefined
}

/** The name that a state tells: as somebody said that it is imported, or its id, which some providers count. */
export const statedName = (format: string | undefined, value: Value): string | undefined =>
  formatName(format, value) ?? (isMap(value) ? nameText(value.get('id')) : undefined)

const nameText = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : value instanceof Decimal ? value.toString() : undefined
