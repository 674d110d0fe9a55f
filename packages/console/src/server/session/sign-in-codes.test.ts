import { describe, expect, it } from 'vitest'
import { createSignInCodes } from './sign-in-codes.ts'

describe('codes of one-time links', () => {
  let now = 0
  const codes = createSignInCodes({ now: () => now, lifetimeMs: 1000 })

  it('work once', () => {
    const code = codes.issue()
    expect(codes.redeem(code)).toBe(true)
    expect(codes.redeem(code)).toBe(false)
  })

  it('are not used up by wrong ones', () => {
    const code = codes.issue()
    for (const wrong of ['', 'x', code.slice(1), `${code} `, code.toUpperCase()]) expect(codes.redeem(wrong)).toBe(false)
    expect(codes.redeem(code)).toBe(true)
  })

  it('expire', () => {
    const code = codes.issue()
    now += 1000
    expect(codes.redeem(code)).toBe(false)
  })

  it('are unguessable and different', () => {
    const issued = Array.from({ length: 10 }, () => codes.issue())
    expect(new Set(issued).size).toBe(10)
    for (const code of issued) expect(Buffer.from(code, 'base64url')).toHaveLength(32)
  })

  it('are limited in number: the oldest is forgotten', () => {
    const first = codes.issue()
    const others = Array.from({ length: 16 }, () => codes.issue())
    expect(codes.redeem(first)).toBe(false)
    expect(others.every((code) => codes.redeem(code))).toBe(true)
  })
})
