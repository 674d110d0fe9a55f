import { isJsonObject } from '@weft/api'

/** Sorts paths (`spec.list[0].key`) by where they stand in the document, which is the order in which Go finds them. */
export function inDocumentOrder(document: unknown, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths
  const wanted = new Set(paths)
  const found: string[] = []
  visit(document, '', (path) => {
    if (wanted.delete(path)) found.push(path)
  })
  return [...found, ...wanted]
}

function visit(value: unknown, path: string, see: (path: string) => void): void {
  if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${path}[${i}]`, see))
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) {
      const child = path === '' ? key : `${path}.${key}`
      see(child)
      visit(member, child, see)
    }
}
