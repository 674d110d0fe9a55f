import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Timers } from '../fairness/index.ts'
import { type AuditEvent, auditEvent, type AuditRequest } from './audit-event.ts'
import { openAuditLog } from './audit-log.ts'

const request: AuditRequest = {
  auditID: 'id-1',
  requestURI: '/api/v1/namespaces/a/secrets/s',
  verb: 'get',
  user: { username: 'jane', groups: ['system:authenticated'], extra: {} },
  receivedAt: Date.parse('2030-01-01T00:00:00.123Z'),
  sourceIPs: ['127.0.0.1'],
  userAgent: 'kubectl/v1',
  objectRef: { resource: 'secrets', namespace: 'a', name: 's', apiVersion: 'v1' },
}
const event = (auditID: string): AuditEvent =>
  auditEvent({ ...request, auditID }, { stage: 'ResponseComplete', now: request.receivedAt, code: 200 })

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weft-audit-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('an event', () => {
  test('is a Metadata event in Kubernetes’ form', () => {
    expect(auditEvent(request, { stage: 'ResponseComplete', now: request.receivedAt + 5, code: 200 })).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'id-1',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/a/secrets/s',
      verb: 'get',
      user: { username: 'jane', groups: ['system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'kubectl/v1',
      objectRef: { resource: 'secrets', namespace: 'a', name: 's', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 200 },
      requestReceivedTimestamp: '2030-01-01T00:00:00.123000Z',
      stageTimestamp: '2030-01-01T00:00:00.128000Z',
    })
  })

  test('says who acted as whom, and why they might', () => {
    const acted = auditEvent(
      { ...request, impersonatedUser: { username: 'joe', groups: [] }, decision: { allowed: false, reason: 'no' } },
      { stage: 'ResponseComplete', now: 0, code: 403, status: { status: 'Failure', reason: 'Forbidden' } },
    )
    expect(acted).toMatchObject({
      impersonatedUser: { username: 'joe' },
      responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': 'no' },
    })
  })

  test('never quotes a message, which may quote a secret', () => {
    const status = {
      status: 'Failure' as const,
      reason: 'Invalid' as const,
      message: 'data.password: Invalid value: "hunter2"',
      details: { causes: [] },
    }
    expect(JSON.stringify(auditEvent(request, { stage: 'ResponseComplete', now: 0, code: 422, status }))).not.toContain('hunter2')
  })

  test('is bounded, whatever the client sends', () => {
    const long = auditEvent(
      { ...request, userAgent: 'x'.repeat(5000), requestURI: `/${'y'.repeat(50_000)}` },
      { stage: 'RequestReceived', now: 0 },
    )
    expect(long.userAgent?.length).toBeLessThan(1100)
    expect(long.requestURI.length).toBeLessThan(8300)
    expect(long).not.toHaveProperty('responseStatus')
  })
})

const linesOf = async (path: string): Promise<string[]> => {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as AuditEvent).auditID)
}
const manual = (): Timers & { fire(): void } => {
  let callback: (() => void) | undefined
  return {
    setTimeout(next) {
      callback = next
      return next
    },
    clearTimeout: () => void (callback = undefined),
    fire: () => callback?.(),
  }
}

describe('the log', () => {
  test('keeps order, appends after a restart, is private', async () => {
    const path = join(directory, 'sub', 'audit.log')
    for (const round of ['a', 'b']) {
      const log = await openAuditLog({ path, warn: () => undefined })
      for (let i = 0; i < 50; i++) log.record(event(`${round}${i}`))
      await log.close()
      expect(log.stats()).toMatchObject({ recorded: 50, dropped: 0, errors: 0, bufferedBytes: 0 })
    }
    const all = await linesOf(path)
    expect(all).toEqual(['a', 'b'].flatMap((round) => Array.from({ length: 50 }, (_, i) => `${round}${i}`)))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('a newline in a name cannot forge a line', async () => {
    const path = join(directory, 'audit.log')
    const log = await openAuditLog({ path, warn: () => undefined })
    log.record(auditEvent({ ...request, verb: 'get"}\n{"auditID":"forged"}' }, { stage: 'ResponseComplete', now: 0 }))
    await log.close()
    expect(await linesOf(path)).toEqual(['id-1'])
  })

  test('rotates by size, keeps the newest backups, loses nothing in between', async () => {
    const path = join(directory, 'audit.log')
    await writeFile(join(directory, 'audit-notes.log'), 'not ours')
    const log = await openAuditLog({ path, warn: () => undefined, maxBytes: 1500, maxBackups: 2, clock: { now: () => 0 } })
    for (let i = 0; i < 12; i++) {
      log.record(event(`e${i}`))
      await log.flush()
    }
    await log.close()
    const names = (await readdir(directory)).sort()
    expect(names).toContain('audit-notes.log')
    const kept = names.filter((name) => name !== 'audit-notes.log')
    expect(kept.length).toBe(3)
    const events = (await Promise.all(kept.map((name) => linesOf(join(directory, name))))).flat()
    expect(events).toEqual(Array.from({ length: events.length }, (_, i) => `e${12 - events.length + i}`))
    for (const name of kept) expect((await stat(join(directory, name))).size).toBeLessThanOrEqual(1500)
  })

  test('a disk error is counted and told once; events wait and arrive when it works again', async () => {
    const path = join(directory, 'logs', 'audit.log')
    const warnings: string[] = []
    const timers = manual()
    const log = await openAuditLog({ path, warn: (message) => warnings.push(message), maxBytes: 10, timers })
    log.record(event('a'))
    await log.flush()
    // The next line needs a rotation, which a file in the folder's place makes impossible.
    await rm(join(directory, 'logs'), { recursive: true })
    await writeFile(join(directory, 'logs'), '')
    log.record(event('b'))
    await log.flush()
    await log.flush()
    expect(warnings.length).toBe(1)
    expect(log.stats().errors).toBeGreaterThanOrEqual(1)
    await rm(join(directory, 'logs'))
    await mkdir(join(directory, 'logs'))
    await chmod(join(directory, 'logs'), 0o700)
    timers.fire()
    log.record(event('c'))
    await log.flush()
    await log.close()
    expect(warnings.length).toBe(2)
    const names = await readdir(join(directory, 'logs'))
    const events = (await Promise.all(names.sort().map((name) => linesOf(join(directory, 'logs', name))))).flat()
    expect(events).toEqual(['b', 'c'])
  })

  test('a buffer that is full drops and counts', async () => {
    const log = await openAuditLog({ path: join(directory, 'a.log'), warn: () => undefined, maxBufferedBytes: 1500 })
    for (let i = 0; i < 10; i++) log.record(event(`e${i}`))
    const { recorded, dropped } = log.stats()
    expect(recorded + dropped).toBe(10)
    expect(dropped).toBeGreaterThan(0)
    await log.close()
    log.record(event('late'))
    expect(log.stats().dropped).toBe(dropped + 1)
  })

  test('a path that cannot work stops the start', async () => {
    await writeFile(join(directory, 'file'), '')
    await expect(openAuditLog({ path: join(directory, 'file', 'audit.log'), warn: () => undefined })).rejects.toThrow(/audit log/)
  })
})
