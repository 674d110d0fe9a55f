import type { Command } from 'commander'
import type { Run } from './run.ts'

/**
 * One command of `weft`, known by name and summary. Everything else (its options, and the packages it is made of) is
 * loaded when it runs, so that a quick command does not pay for a large one.
 */
export interface CommandEntry {
  readonly name: string
  /** One line for the list of commands; the command's own description may say more. */
  readonly summary: string
  readonly load: () => Promise<(run: Run) => Command>
  /** What a failure ends with, where 1 means something else. */
  readonly failureCode?: number
}

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}
