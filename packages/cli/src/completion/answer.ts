import type { CommandEntry } from '../command-entry.ts'
import { complete } from './complete.ts'
import { askingServer } from './server-words.ts'

/** Answers `weft __complete -- WORD…`, by which the scripts of `weft completion` ask. Candidates on lines, what they are after a tab. Never says anything else, and never fails. */
export async function answerCompletion(args: readonly string[], commands: readonly CommandEntry[]): Promise<number> {
  const words = args[0] === '--' ? args.slice(1) : args
  try {
    const answer = await complete(words, { commands, server: (options) => Promise.resolve(askingServer(options)) })
    process.stdout.write(answer === 'files' ? ':files\n' : answer.map(({ value, about }) => `${value}\t${about}\n`).join(''))
  } catch {
    // A shell that waits for a completion has no use for a reason.
  }
  return 0
}
