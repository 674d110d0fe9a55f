/** Of a terminal, in characters. */
export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** Between columns, and the least that is left of a name. */
const GAP = 3
const SHORTEST = 12
/** For the summary, the line that says how many more there are, and the prompt. */
const RESERVED = 4

/** Rows that fit: the first column is shortened in its middle, so that both ends still tell names apart; what does not fit below is left out. */
export function fitted(
  rows: readonly (readonly string[])[],
  { columns, rows: height }: Screen,
): { rows: readonly (readonly string[])[]; left: number } {
  const shown = rows.slice(0, Math.max(2, height - RESERVED))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(3, ...shown.map((row) => row[column]?.length ?? 0)) + GAP)
  const rest = widths.slice(1).reduce((total, width) => total + width, 0)
  const room = Math.max(SHORTEST, columns - rest)
  return { rows: shown.map(([name = '', ...others]) => [shortened(name, room), ...others]), left: rows.length - shown.length }
}

function shortened(name: string, room: number): string {
  if (name.length <= room) return name
  const head = Math.ceil((room - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(name.length - (room - 1 - head))}`
}
