import { conflict } from '@weft/api'
import { beforeEach, expect, it } from 'vitest'
import { createLog } from '../log/create-log.ts'
import type { Log } from '../log/log.ts'
import { FailureLog } from './failure-log.ts'

let now: number
let lines: string[]
let log: Log
let failures: FailureLog
let count: number
beforeEach(() => {
  now = 0
  lines = []
  count = 0
  const clock = { now: () => now, setTimeout: () => undefined, clearTimeout: () => undefined }
  const sink = ({ level, message, fields }: { level: string; message: string; fields: object }): void => {
    lines.push(`${level} ${message}${'error' in fields ? `: ${String(fields.error)}` : ''}`)
  }
  log = createLog({ level: 'info', clock, sink })
  failures = new FailureLog(clock)
})

/** Fails after another `seconds`. */
const fail = (error: Error | string, seconds = 0): void => {
  now += seconds * 1000
  count++
  failures.failed('ns/a', log, { error: typeof error === 'string' ? new Error(error) : error, failures: count, retryInMs: 1 })
}

it('says once that an object fails, and never warns of what is right in the end', () => {
  fail('its secret is not there yet')
  fail('its secret is not there yet', 5)
  fail('its secret is not there yet', 10)
  failures.succeeded('ns/a', log)
  expect(lines).toEqual(['info reconcile failed, trying again: its secret is not there yet'])
})

it('warns once of what goes on, again when the reason changes, and says when it is over', () => {
  fail('no route')
  fail('no route', 31)
  fail('no route', 60)
  fail('no account', 60)
  fail('no account', 60)
  failures.succeeded('ns/a', log)
  failures.succeeded('ns/a', log)
  expect(lines).toEqual([
    'info reconcile failed, trying again: no route',
    'warn reconcile keeps failing: no route',
    'warn reconcile keeps failing: no account',
    'warn reconcile works again',
  ])
})

it('says once what trying again cannot help, until it succeeds', () => {
  failures.gaveUp('ns/a', log, new Error('no such field'))
  failures.gaveUp('ns/a', log, new Error('no such field'))
  failures.succeeded('ns/a', log)
  failures.gaveUp('ns/a', log, new Error('no such field'))
  expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(2)
})

it('keeps quiet of lost races unless they go on', () => {
  const lost = conflict({ group: '', resource: 'things', name: 'a' }, 'changed since')
  for (let i = 0; i < 4; i++) fail(lost)
  expect(lines).toEqual([])
  fail(lost)
  expect(lines).toHaveLength(1)
})

it('forgets what is gone: a new object of that name begins anew', () => {
  fail('no route')
  fail('no route', 31)
  failures.gone('ns/a')
  fail('no route', 60)
  expect(lines.at(-1)).toBe('info reconcile failed, trying again: no route')
})
