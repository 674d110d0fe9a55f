/** Columns are at least this wide and this far apart, as kubectl's are. */
const MIN_WIDTH = 6
const GAP = 3

export interface TableLayout {
  /** Widths of columns printed before: a table that grows line by line keeps its shape. */
  widths: number[]
}

/** Lines of text from rows of cells; nothing follows the last cell of a line. */
export function formatTable(rows: readonly (readonly string[])[], layout: TableLayout = { widths: [] }): string {
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, column) => {
      layout.widths[column] = Math.max(layout.widths[column] ?? MIN_WIDTH, displayWidth(cell) + GAP)
    })
  }
  return rows
    .map((row) => `${row.map((cell, column) => (column === row.length - 1 ? cell : pad(cell, layout.widths[column] ?? 0))).join('')}\n`)
    .join('')
}

const pad = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - displayWidth(cell)))

const displayWidth = (text: string): number => [...text].length
