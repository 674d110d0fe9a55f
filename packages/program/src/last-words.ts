const LINES = 20
const LONGEST = 300

/** The last lines that a program printed. */
export interface LastWords {
  add(bytes: Uint8Array): void
  /** The very last that says something, short, and nothing that moves a cursor; empty when there is none. */
  last(): string
  /** All that is remembered. */
  all(): string
  clear(): void
}

export function lastWords(): LastWords {
  let lines: string[] = []
  let open = ''
  const told = (): string[] => [...lines, open].filter((line) => line.trim() !== '')
  return {
    add(bytes) {
      const parts = (open + Buffer.from(bytes).toString()).split('\n')
      open = (parts.pop() ?? '').slice(-4 * LONGEST)
      lines = [...lines, ...parts.slice(-LINES).map((line) => line.slice(0, 4 * LONGEST))].slice(-LINES)
    },
    last() {
      const line = (told().at(-1) ?? '').replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, ' ').trim()
      return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
    },
    all: () => told().join('\n'),
    clear() {
      lines = []
      open = ''
    },
  }
}
