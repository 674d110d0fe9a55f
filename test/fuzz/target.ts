import type { Draw } from './draw.ts'

/** One thing that is fed with random input. */
export interface FuzzTarget {
  readonly name: string
  /** Called once, before the first input. */
  start?(): Promise<void>
  /**
   * Feeds one input and throws when something is wrong: a fault of ours, an answer that must not be, a round trip that does not come
   * back. What it says to `note` is shown when that happens, or when it does not come to an end.
   */
  run(draw: Draw, note: (text: string) => void): Promise<void> | void
  stop?(): Promise<void>
}

/** Something is wrong with what was fed. */
export class FuzzFinding extends Error {
  override readonly name = 'FuzzFinding'
}
