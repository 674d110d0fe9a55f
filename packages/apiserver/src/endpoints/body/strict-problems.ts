import { eachJsonKey } from '@weft/api'
import { inDocumentOrder } from './document-order.ts'
import { duplicateField, type Parsed, unknownField } from './parsed.ts'

/** Go's decoder stops telling after so many. */
const MAX_PROBLEMS = 100

/** What strict decoding of a built-in kind says of a document, in the order in which Go comes upon it. */
export function strictProblems(
  { problems, text, isSorted = false }: Omit<Parsed, 'value'>,
  document: unknown,
  unknown: readonly string[],
): readonly string[] {
  const found =
    text === undefined || isSorted
      ? [...problems, ...inDocumentOrder(document, unknown, isSorted).map(unknownField)]
      : inTextOrder(text, new Set(unknown))
  return found.slice(0, MAX_PROBLEMS)
}

/** Keys that occur twice and those that nobody knows, as they stand in the text, each once. Nothing below an unknown one is looked at. */
export function inTextOrder(text: string, unknown: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>()
  let hidden: string | undefined
  eachJsonKey(text, (path, isAgain) => {
    if (found.size >= MAX_PROBLEMS || (hidden !== undefined && isBelow(path, hidden))) return
    hidden = unknown.has(path) ? path : undefined
    if (hidden !== undefined) found.add(unknownField(path))
    else if (isAgain) found.add(duplicateField(path))
  })
  return [...found]
}

const isBelow = (path: string, parent: string): boolean =>
  path.startsWith(parent) && /^[.[]/.test(path.slice(parent.length, parent.length + 1))
