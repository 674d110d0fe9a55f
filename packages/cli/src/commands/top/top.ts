import { sleep, systemClock } from '@weft/client'
import { type ControllerRates, hasReason, controllerRates, type MetricsReading, parseMetrics, singleValue } from '@weft/api'
import type { ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { controlSequence, formatJson, formatSize, formatTable } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { fitted, type Screen } from './fitted.ts'

export interface TopOptions extends ClusterOptions {
  readonly interval: number
  readonly watch?: boolean
  readonly all?: boolean
  readonly sortBy: string
  readonly url?: string
  readonly output?: string
  readonly headers: boolean
}

type ReadMetrics = () => Promise<string>

export async function top(options: TopOptions): Promise<number> {
  const { url } = options
  if (url !== undefined) return show(() => fetchMetrics(url), options)
  return withCluster(options, ({ transport, server }) =>
    show(async () => {
      try {
        return String((await transport.request({ verb: 'read', path: '/metrics', accept: 'text/plain' })).body)
      } catch (error) {
        if (hasReason(error, 'Forbidden'))
          throw new CommandFailure(`you may not read ${server}/metrics: that requires the right to get the path /metrics`, { cause: error })
        throw error
      }
    }, options),
  )
}

async function show(read: ReadMetrics, options: TopOptions): Promise<number> {
  let before = await readingOf(read)
  do {
    await sleep(systemClock, Math.max(100, options.interval))
    const after = await readingOf(read)
    const rates = ordered(controllerRates(before, after), options.sortBy)
    if (rates.length === 0)
      throw new CommandFailure(
        'the server has no controllers of Weft in its metrics; --url names the /metrics of `weft start` when they run elsewhere',
      )
    const shown = options.all === true ? rates : rates.filter(({ total, depth, delayed, active }) => total + depth + delayed + active > 0)
    if (options.watch === true && process.stdout.isTTY) process.stdout.write(`${controlSequence('H')}${controlSequence('2J')}`)
    process.stdout.write(
      options.output === 'json' ? formatJson(shown) : formatRates(shown, after, { headers: options.headers, screen: screenOf(options) }),
    )
    before = after
  } while (options.watch === true)
  return 0
}

const readingOf = async (read: ReadMetrics): Promise<MetricsReading> => ({ samples: parseMetrics(await read()), at: performance.now() })

async function fetchMetrics(url: string): Promise<string> {
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  } catch (cause) {
    throw new CommandFailure(`cannot reach ${url}: ${((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message}`, {
      cause,
    })
  }
  if (!response.ok) throw new CommandFailure(`${url} answered ${response.status}`)
  return response.text()
}

const KEYS: Readonly<Record<string, (rates: ControllerRates) => number>> = {
  slowest: ({ average }) => average,
  queue: ({ depth, delayed }) => depth + delayed / 1e9,
  errors: ({ errorsPerSecond }) => errorsPerSecond,
}

function ordered(rates: readonly ControllerRates[], by: string): readonly ControllerRates[] {
  const key = KEYS[by]
  if (by === 'name') return [...rates].sort((a, b) => (a.controller < b.controller ? -1 : 1))
  return key === undefined ? rates : [...rates].sort((a, b) => key(b) - key(a))
}

/** Of a terminal; what goes to a file or another program is whole, and so is what was asked for whole. */
const screenOf = ({ all }: TopOptions): Screen | undefined =>
  process.stdout.isTTY && all !== true ? { columns: process.stdout.columns, rows: process.stdout.rows } : undefined

interface RatesOptions {
  readonly headers: boolean
  readonly screen: Screen | undefined
}

export function formatRates(rates: readonly ControllerRates[], { samples }: MetricsReading, { headers, screen }: RatesOptions): string {
  const sum = (value: (each: ControllerRates) => number): number => rates.reduce((total, each) => total + value(each), 0)
  const memory = singleValue(samples, 'process_resident_memory_bytes')
  const summary = `${perSecond(sum((each) => each.perSecond))} reconciles/s, ${sum((each) => each.depth)} waiting, ${sum((each) => each.active)} running${memory === undefined ? '' : `, ${formatSize(memory)}`}\n\n`
  const all = rates.map((each) => [
    each.controller,
    perSecond(each.perSecond),
    perSecond(each.errorsPerSecond),
    seconds(each.average),
    each.p99 === 0 ? '-' : each.p99 === Infinity ? '>60s' : `≤${seconds(each.p99)}`,
    String(each.depth),
    String(each.delayed),
    String(each.active),
    String(each.total),
  ])
  const columns = ['CONTROLLER', 'RATE/S', 'ERRORS/S', 'AVERAGE', 'P99', 'QUEUE', 'DELAYED', 'RUNNING', 'TOTAL']
  if (screen === undefined) return summary + formatTable(headers ? [columns, ...all] : all)
  const { rows, left, dropped } = fitted([columns, ...all], screen, EXPENDABLE)
  const more = [
    ...(left === 0 ? [] : [`${left} more: --all shows them`]),
    ...(dropped.length === 0 ? [] : [`a wider terminal shows ${dropped.join(', ')}`]),
  ]
  return `${summary}${formatTable(headers ? rows : rows.slice(1))}${more.length === 0 ? '' : `… ${more.join('; ')}\n`}`
}

/** Columns that a narrow terminal does without, the least important first. */
const EXPENDABLE = ['RUNNING', 'DELAYED', 'TOTAL', 'P99']

const perSecond = (value: number): string => (value === 0 ? '0' : value < 10 ? value.toFixed(1) : String(Math.round(value)))

const seconds = (value: number): string =>
  value === 0 ? '-' : value < 1 ? `${Number((value * 1000).toPrecision(2))}ms` : `${Number(value.toPrecision(3))}s`
