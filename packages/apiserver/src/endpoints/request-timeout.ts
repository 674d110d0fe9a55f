import { badRequest } from '@weft/api'
import type { ApiRequest } from './exchange.ts'
import type { RequestInfo } from './request-info.ts'

/** What is wrong with `?timeout=`. The server answers long before any sensible one; only its form is checked. */
export function requestDeadlineFault({ query }: ApiRequest, { verb, isResource }: RequestInfo): Error | undefined {
  if (query.size === 0 || (isResource && verb === 'watch')) return undefined
  const timeout = query.get('timeout')
  const why = timeout === null || timeout === '' ? undefined : durationFault(timeout)
  return why === undefined ? undefined : badRequest(`invalid timeout specified in the request URL - ${why}`)
}

const UNITS = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'])

/** Go's durations: `1h30m`, `1.5s`, `0`. */
function durationFault(text: string): string | undefined {
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return undefined
  if (rest === '') return `time: invalid duration ${JSON.stringify(text)}`
  while (rest !== '') {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0]
    if (number === undefined) return `time: invalid duration ${JSON.stringify(text)}`
    const unit = /^[^\d.]*/.exec(rest.slice(number.length))?.[0] ?? ''
    if (unit === '') return `time: missing unit in duration ${JSON.stringify(text)}`
    if (!UNITS.has(unit)) return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`
    rest = rest.slice(number.length + unit.length)
  }
  return undefined
}
