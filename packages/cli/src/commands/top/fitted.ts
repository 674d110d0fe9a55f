import { distinctlyShortened } from './distinctly-shortened.ts'

/** Of a terminal, in characters. */
export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** What is shown of a table, and what of it is not. */
export interface Fitted {
  readonly rows: readonly (readonly string[])[]
  /** How many rows are left out. */
  readonly left: number
  /** Names of the columns that are left out. */
  readonly dropped: readonly string[]
}

/** Between columns, and the least that is left of a name. */
const GAP = 3
const SHORTEST = 12
/** A column that can be done without goes before names become shorter than this. */
const READABLE = 40
/** For the summary, the line that says what else there is, and the prompt. */
const RESERVED = 4

/**
 * A table that fits. The first column is shortened so that names still differ; columns that can be done without (`expendable`, the least important
 * first) leave it room, and rows that do not fit below are left out. The first row names the columns.
 */
export function fitted(
  rows: readonly (readonly string[])[],
  { columns, rows: height }: Screen,
  expendable: readonly string[] = [],
): Fitted {
  const shown = rows.slice(0, Math.max(2, height - RESERVED))
  const header = shown[0] ?? []
  const widths = header.map((_, column) => Math.max(3, ...shown.map((row) => row[column]?.length ?? 0)) + GAP)
  const wanted = Math.min(READABLE, (widths[0] ?? 0) - GAP)
  const kept = header.map((_, column) => column).slice(1)
  const room = (): number => columns - GAP - kept.reduce((total, column) => total + (widths[column] ?? 0), 0)
  const dropped: string[] = []
  for (const name of expendable) {
    const at = kept.findIndex((column) => header[column] === name)
    if (room() >= wanted || at < 0) continue
    dropped.push(...kept.splice(at, 1).map((column) => header[column] ?? ''))
  }
  const names = distinctlyShortened(
    shown.map(([name = '']) => name),
    Math.max(SHORTEST, room()),
  )
  return {
    rows: shown.map((row, i) => [names[i] ?? '', ...kept.map((column) => row[column] ?? '')]),
    left: rows.length - shown.length,
    dropped,
  }
}
