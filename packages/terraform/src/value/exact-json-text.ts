import { Decimal } from './decimal.ts'

/** What `parseExactJson` made, as text again, with all digits. */
export function exactJson(tree: unknown): string {
  if (tree instanceof Decimal) return tree.toString()
  if (Array.isArray(tree)) return `[${tree.map(exactJson).join(',')}]`
  if (tree instanceof Map) return `{${[...tree].map(([key, value]) => `${JSON.stringify(key)}:${exactJson(value)}`).join(',')}}`
  return JSON.stringify(tree)
}
