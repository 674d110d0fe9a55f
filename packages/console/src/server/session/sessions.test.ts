import { FakeClock } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import type { Identity } from './identity.ts'
import { createSessions } from './sessions.ts'

const MINUTE = 60_000

function identity(closed: string[] = [], user = 'jane'): Identity {
  return {
    user,
    groups: [],
    serverVersion: '',
    forwarder: { forward: () => Promise.reject(new Error('unused')), close: () => Promise.resolve() },
    client: () => {
      throw new Error('unused')
    },
    close: () => Promise.resolve(void closed.push(user)),
  }
}

describe('sessions', () => {
  it('are found by their id and by nothing else', () => {
    const sessions = createSessions()
    const { id, session } = sessions.begin(identity())
    expect(sessions.find(id)).toBe(session)
    for (const wrong of ['', 'x', id.slice(1), `${id}x`]) expect(sessions.find(wrong)).toBeUndefined()
    sessions.close()
  })

  it('have a CSRF token of their own', () => {
    const sessions = createSessions()
    const { session } = sessions.begin(identity())
    const { session: other } = sessions.begin(identity())
    expect(sessions.isCsrfToken(session, session.csrfToken)).toBe(true)
    expect(sessions.isCsrfToken(session, other.csrfToken)).toBe(false)
    expect(sessions.isCsrfToken(session, '')).toBe(false)
    sessions.close()
  })

  it('end when their owner signs out: streams stop and connections close', () => {
    const closed: string[] = []
    const sessions = createSessions()
    const { id, session } = sessions.begin(identity(closed))
    sessions.end(session)
    expect(sessions.find(id)).toBeUndefined()
    expect(session.signal.aborted).toBe(true)
    expect(closed).toEqual(['jane'])
    sessions.end(session)
    expect(closed).toEqual(['jane'])
  })

  it('end when they are not used, and later when they are', async () => {
    const clock = new FakeClock()
    const sessions = createSessions({ clock, idleMs: 10 * MINUTE, lifetimeMs: 60 * MINUTE })
    const { id } = sessions.begin(identity())
    await clock.advance(9 * MINUTE)
    expect(sessions.find(id)).toBeDefined()
    await clock.advance(9 * MINUTE)
    expect(sessions.find(id)).toBeDefined()
    await clock.advance(10 * MINUTE)
    expect(sessions.find(id)).toBeUndefined()
    sessions.close()
  })

  it('are in use while something is held open, but not beyond their lifetime', async () => {
    const clock = new FakeClock()
    const sessions = createSessions({ clock, idleMs: 10 * MINUTE, lifetimeMs: 60 * MINUTE })
    const { id, session } = sessions.begin(identity())
    const release = sessions.hold(session)
    await clock.advance(30 * MINUTE)
    expect(session.signal.aborted).toBe(false)
    release()
    release()
    await clock.advance(9 * MINUTE)
    expect(sessions.find(id)).toBe(session)
    sessions.hold(session)
    await clock.advance(21 * MINUTE)
    expect(session.signal.aborted).toBe(true)
    expect(sessions.size).toBe(0)
    sessions.close()
  })

  it('are limited: the one that was used longest ago makes room', () => {
    const closed: string[] = []
    const sessions = createSessions({ limit: 2 })
    const first = sessions.begin(identity(closed, 'first'))
    sessions.begin(identity(closed, 'second'))
    sessions.find(first.id)
    sessions.begin(identity(closed, 'third'))
    expect(closed).toEqual(['second'])
    expect(sessions.find(first.id)).toBe(first.session)
    sessions.close()
    expect(closed.sort()).toEqual(['first', 'second', 'third'])
  })
})
