import type { KubeObject } from '@weft/api'
import { internalError } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { createLog } from './create-log.ts'
import { humanLog, jsonLog } from './formats.ts'
import type { LogRecord } from './log.ts'

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'ns' },
  data: { password: 'aHVudGVyMg==' },
}
const clock = { now: () => Date.UTC(2026, 0, 1), setTimeout: () => undefined, clearTimeout: () => undefined }

function capture(level: 'debug' | 'info' = 'info'): { records: LogRecord[]; log: ReturnType<typeof createLog> } {
  const records: LogRecord[] = []
  return { records, log: createLog({ sink: (record) => records.push(record), level, clock }) }
}

describe('log', () => {
  it.each([
    { reason: 'objects are references', fields: { object: secret }, shown: { object: 'Secret ns/s' } },
    {
      reason: 'credentials are masked by name',
      fields: { password: 'x', bearerToken: 'y', 'api-key': 'z', clientSecret: 'a' },
      shown: { password: '•••', bearerToken: '•••', 'api-key': '•••', clientSecret: '•••' },
    },
    { reason: 'contents of objects are not shown', fields: { data: { password: 'x' } }, shown: { data: '{…}' } },
    {
      reason: 'errors say why, and why that',
      fields: { error: new Error('outer', { cause: new Error('inner') }) },
      shown: { error: 'outer: inner' },
    },
    {
      reason: 'what the outer one says already is not said again',
      fields: { error: new Error('cannot connect: inner', { cause: new Error('inner') }) },
      shown: { error: 'cannot connect: inner' },
    },
    {
      reason: 'a status error shows its reason',
      fields: { error: internalError('x') },
      shown: { error: 'Internal error occurred: x (InternalError)' },
    },
    { reason: 'big integers', fields: { n: 2n ** 60n }, shown: { n: '1152921504606846976' } },
    { reason: 'lists of objects', fields: { all: [secret, secret] }, shown: { all: ['Secret ns/s', 'Secret ns/s'] } },
    {
      reason: 'keys that mean something to the engine are data',
      fields: JSON.parse('{"__proto__": "x"}') as Record<string, unknown>,
      shown: JSON.parse('{"__proto__": "x"}') as Record<string, unknown>,
    },
  ])('$reason', ({ fields, shown }) => {
    const { records, log } = capture()
    log.info('m', fields)
    expect(records[0]?.fields).toEqual(shown)
  })

  it('drops what is less important, and adds the fields of its context', () => {
    const { records, log } = capture()
    log.debug('no')
    log.with({ controller: 'c' }).with({ object: 'o' }).warn('yes')
    expect(records).toMatchObject([{ level: 'warn', message: 'yes', fields: { controller: 'c', object: 'o' } }])
  })

  it('writes JSON for machines and lines for people', () => {
    const lines: string[] = []
    for (const sink of [jsonLog, humanLog])
      createLog({ sink: sink((line) => lines.push(line)), clock }).warn('cannot reach it', { object: 'ns/a', why: 'no route', n: 3 })
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: '2026-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'cannot reach it',
      object: 'ns/a',
      why: 'no route',
      n: 3,
    })
    expect(lines[1]).toBe('00:00:00.000 WARN  cannot reach it  object=ns/a  why="no route"  n=3')
  })
})
