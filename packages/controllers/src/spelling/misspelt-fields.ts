import { childPath, indexPath, isJsonObject, meantInstead, type Schema } from '@weft/api'

/** A field that nothing knows, and the one that was probably meant. */
export interface Misspelt {
  readonly path: string
  readonly meant: string
}

/** As the rest of a sentence that begins with its path. */
export const didYouMean = ({ meant }: Misspelt): string => `is not a field that is known here: did you mean ${meant}?`

export interface SpellingOptions {
  /** Where the value stands in its object. */
  readonly path?: string
  /** Closed parts of the schema count as open: the value is kept by another schema than this. */
  readonly everywhere?: boolean
}

/** Whoever reads that many looks for themselves, and nobody makes the server look up names without end. */
const MOST_FOUND = 20
const MOST_LOOKED_UP = 1000

/**
 * Fields that are kept although the schema does not know them, and that are one slip away from one that it knows and that is not given.
 * Where a schema is closed, the server itself warns of what it drops. Linear in the value.
 */
export function misspeltFields(
  value: unknown,
  schema: Schema,
  { path = '', everywhere = false }: SpellingOptions = {},
): readonly Misspelt[] {
  const found: Misspelt[] = []
  let lookedUp = 0
  const visit = (at: unknown, known: Schema | undefined, here: string): void => {
    if (Array.isArray(at)) for (const [i, item] of at.entries()) visit(item, known?.items, indexPath(here, i))
    if (!isJsonObject(at) || known?.properties === undefined) return
    const { properties } = known
    const isOpen = everywhere || known['x-kubernetes-preserve-unknown-fields'] === true
    for (const [name, child] of Object.entries(at)) {
      if (Object.hasOwn(properties, name)) visit(child, properties[name], childPath(here, name))
      else if (isOpen && found.length < MOST_FOUND && lookedUp++ < MOST_LOOKED_UP) {
        const meant = meantInstead(name, Object.keys(properties))
        if (meant !== undefined && !Object.hasOwn(at, meant)) found.push({ path: childPath(here, name), meant })
      }
    }
  }
  visit(value, schema, path)
  return found
}
