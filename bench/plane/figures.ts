import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadResult } from './load.ts'

/** One line of a report. */
export interface Figure {
  readonly label: string
  readonly result?: LoadResult
  readonly memory?: { readonly peakBytes: number; readonly peakOwnBytes: number }
  /** Further values, by name. */
  readonly values?: Readonly<Record<string, number>>
  /** What a value must be, and whether it is. */
  readonly goal?: { readonly text: string; readonly met: boolean }
}

/** Prints figures as they come, keeps them, and writes them for comparison over time. */
export class Figures {
  readonly #suite: string
  readonly #all: Figure[] = []
  readonly #at = new Date().toISOString()

  constructor(suite: string) {
    this.#suite = suite
    print(`${cpus().length} cores, shared by the control plane and the load; bundle, LMDB, HTTPS`)
    print(
      line(['', 'per s', 'seconds', 'no core', 'CPU s', 'CPU ms each', 'writes each', 'p50 ms', 'p99 ms', 'max ms', 'peak MB', 'own MB']),
    )
  }

  add(figure: Figure): void {
    this.#all.push(figure)
    print(format(figure))
  }

  /** Answers whether all goals were met. */
  end(): boolean {
    const goals = this.#all.flatMap(({ goal }) => goal ?? [])
    const missed = goals.filter(({ met }) => !met)
    print(`${this.#all.length} figures, ${missed.length} of ${goals.length} goals missed; written to ${this.#write()}`)
    return missed.length === 0
  }

  /** Where a file of another type belongs that tells of the same run. */
  beside(type: string): string {
    const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'results')
    mkdirSync(folder, { recursive: true })
    return join(folder, `${this.#suite}-${this.#at.replaceAll(/[:.]/g, '-')}.${type}`)
  }

  #write(): string {
    const file = this.beside('json')
    const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), node: process.version }
    writeFileSync(file, `${JSON.stringify({ suite: this.#suite, at: this.#at, machine, figures: this.#all }, undefined, 2)}\n`)
    return file
  }
}

export const cpuEach = ({ cpuSeconds, count }: LoadResult): number => (cpuSeconds * 1000) / count

/** Without the time in which other processes had the cores. */
const timeEach = ({ seconds, waitedSeconds, count }: LoadResult): number => (seconds - waitedSeconds) / count

/** How much more one object costs when there are many. */
export function growth(label: string, small: LoadResult, large: LoadResult, limit: number): Figure {
  const values = { 'CPU each': cpuEach(large) / cpuEach(small), 'time each': timeEach(large) / timeEach(small) }
  return { label, values, goal: { text: `both within ${limit}x`, met: Object.values(values).every((value) => value <= limit) } }
}

function format({ label, result, memory, values = {}, goal }: Figure): string {
  const cells =
    result === undefined
      ? []
      : [
          result.count / result.seconds,
          result.seconds,
          result.waitedSeconds,
          result.cpuSeconds,
          cpuEach(result),
          result.writes,
          result.p50,
          result.p99,
          result.max,
        ]
  const sizes = memory === undefined ? [] : [memory.peakBytes / 1e6, memory.peakOwnBytes / 1e6]
  const notes = Object.entries(values).map(([name, value]) => `${name} ${short(value)}`)
  const verdict = goal === undefined ? [] : [`${goal.met ? 'ok' : 'NO'}: ${goal.text}`]
  return line([label, ...[...cells, ...sizes].map(short)]) + [...notes, ...verdict].map((note) => `  ${note}`).join(',')
}

const WIDTHS = [46, 8, 8, 8, 8, 12, 12, 8, 8, 8, 8, 8]
const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] as number) : cell.padStart(WIDTHS[i] as number))).join(' ')
const print = (text: string): unknown => process.stdout.write(`${text.trimEnd()}\n`)
const short = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)
