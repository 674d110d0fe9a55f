import type { StoreReport } from '@weft/apiserver'

/** What is wrong with a store, one line for each thing, and how much of it is whole. */
export function formatDamages(what: string, { damages, wholeObjects }: StoreReport): string {
  const lines = damages.map(({ kind, key, message }) => {
    if (kind === 'object') return key === undefined ? `  lost: ${message}` : `  lost: ${key.replace(/^\/registry\//, '')}: ${message}`
    return `  ${kind}: ${message}`
  })
  return [`${what} is damaged:`, ...lines, `${wholeObjects} objects are whole.`, ''].join('\n')
}
