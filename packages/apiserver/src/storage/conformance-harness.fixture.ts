import type { Entry, Storage } from './storage.ts'

/** A store under test and, for drivers that persist, a way to close it and open it again. */
export interface StorageHarness {
  readonly storage: Storage
  reopen?(): Promise<Storage>
  dispose(): Promise<void>
}

export interface ConformanceOptions {
  /** Makes an empty store. */
  readonly create: (now?: () => number) => Promise<StorageHarness>
  /** Runs of the property-based tests: fewer for drivers that wait for a disk. */
  readonly runs: number
}

export const bytes = (text: string) => (): Uint8Array => Buffer.from(text)
export const text = (entry: Entry | undefined): string | undefined => entry && Buffer.from(entry.value).toString()
export const keysOf = (entries: Iterable<Entry>): string[] => Array.from(entries, (entry) => entry.key)
