import { isJsonObject } from '@weft/api'

/** Sorts paths (`spec.list[0].key`) by where they stand in the document, which is the order in which Go finds them. */
export function inDocumentOrder(document: unknown, paths: readonly string[], isSorted = false): readonly string[] {
  if (paths.length < 2) return paths
  const wanted = new Set(paths)
  const longest = Math.max(...paths.map((path) => path.length))
  const found: string[] = []
  // Below a key longer than any of the paths there is nothing to find, and paths there would be long.
  const visit = (value: unknown, path: string): void => {
    if (wanted.size === 0 || path.length > longest) return
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly unknown[]).entries()) if (isContainer(item)) visit(item, `${path}[${i}]`)
    } else if (isJsonObject(value))
      for (const [key, member] of isSorted ? Object.entries(value).sort(byKey) : Object.entries(value)) {
        if (key.length > longest) continue
        const child = path === '' ? key : `${path}.${key}`
        if (wanted.delete(child)) found.push(child)
        if (isContainer(member)) visit(member, child)
      }
  }
  visit(document, '')
  return [...found, ...wanted]
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null
