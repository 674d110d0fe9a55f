import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Row, Sample } from './bench.ts'

interface Summary {
  readonly scenario: string
  readonly label: string
  readonly unit: string
  readonly weft: number
  readonly kubernetes: number
  /** How many times better Weft is; NaN without Kubernetes. */
  readonly ratio: number
  readonly goal: number | undefined
  readonly met: boolean | undefined
  readonly weftP50: number
  readonly weftP99: number
  readonly kubernetesP50: number
  readonly kubernetesP99: number
  readonly generatorCpu: number
  /** Microseconds of CPU of the server's processes for each request, in the round in which they were least. */
  readonly weftCpu: number
  readonly kubernetesCpu: number
}

export function summarize({ scenario, label, unit, better, goal, samples }: Row): Summary {
  const { weft = [], kubernetes = [] } = samples
  const [us, them] = [best(weft, better), best(kubernetes, better)]
  const [ours, theirs] = [us?.value ?? Number.NaN, them?.value ?? Number.NaN]
  const ratio = better === 'higher' ? ours / theirs : theirs / ours
  return {
    scenario,
    label,
    unit,
    weft: ours,
    kubernetes: theirs,
    ratio,
    goal,
    met: goal === undefined || Number.isNaN(ratio) ? undefined : ratio >= goal,
    weftP50: us?.p50 ?? Number.NaN,
    weftP99: us?.p99 ?? Number.NaN,
    kubernetesP50: them?.p50 ?? Number.NaN,
    kubernetesP99: them?.p99 ?? Number.NaN,
    generatorCpu: us?.generatorCpu ?? Number.NaN,
    weftCpu: leastCpu(weft),
    kubernetesCpu: leastCpu(kubernetes),
  }
}

const leastCpu = (samples: readonly Sample[]): number => Math.min(...samples.map(({ serverCpu = Number.NaN }) => serverCpu)) * 1e6

/** The least disturbed round: whatever else runs on the machine only ever makes a round worse. */
function best(samples: readonly Sample[], better: Row['better']): Sample | undefined {
  const sign = better === 'higher' ? 1 : -1
  return samples.toSorted((a, b) => sign * (b.value - a.value))[0]
}

const COLUMNS = [
  '',
  'unit',
  'weft',
  'kube',
  'ratio',
  'goal',
  'weft p50/p99 ms',
  'kube p50/p99 ms',
  'load CPU',
  'weft CPU µs',
  'kube CPU µs',
]
const WIDTHS = [46, 10, 10, 10, 8, 7, 17, 17, 8, 12, 12]

export const header = (): string => line(COLUMNS)

export function format(row: Row): string {
  const s = summarize(row)
  const goal = s.goal === undefined ? '' : `${s.met === undefined ? '' : s.met ? 'ok ' : 'NO '}${s.goal}x`
  const latency = (p50: number, p99: number): string => (Number.isNaN(p50) ? '' : `${short(p50)} / ${short(p99)}`)
  const ratio = Number.isNaN(s.ratio) ? '' : `${s.ratio.toFixed(2)}x`
  const cpu = Number.isNaN(s.generatorCpu) ? '' : `${Math.round(s.generatorCpu * 100)}%`
  const cells = [
    `${s.scenario}: ${s.label}`,
    s.unit,
    short(s.weft),
    short(s.kubernetes),
    ratio,
    goal,
    latency(s.weftP50, s.weftP99),
    latency(s.kubernetesP50, s.kubernetesP99),
    cpu,
    ...[s.weftCpu, s.kubernetesCpu].map((each) => (Number.isFinite(each) ? short(each) : '')),
  ]
  return [line(cells), ...failures(row)].join('\n')
}

function failures({ samples }: Row): string[] {
  return Object.entries(samples).flatMap(([system, list]) =>
    list.flatMap(({ failures: found = {} }) =>
      Object.keys(found).length === 0 ? [] : [`  ${system}: failed requests by status: ${JSON.stringify(found)}`],
    ),
  )
}

const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] as number) : cell.padStart(WIDTHS[i] as number))).join(' ')

const short = (value: number): string =>
  Number.isNaN(value) ? '-' : value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** Everything measured, for comparison over time. */
export function writeResults(folder: string, suite: string, rows: readonly Row[], about: object): string {
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const file = join(folder, `${suite}-${at.replaceAll(/[:.]/g, '-')}.json`)
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
    platform: process.platform,
  }
  writeFileSync(file, `${JSON.stringify({ suite, at, machine, ...about, summary: rows.map(summarize), rows }, undefined, 2)}\n`)
  return file
}
