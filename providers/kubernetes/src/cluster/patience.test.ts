import { ExternalError } from '@weft/provider-sdk'
import { FakeClock } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { SilentCluster } from './cluster-error.ts'
import { Patience } from './patience.ts'

const isSilence = (error: unknown): error is SilentCluster => error instanceof SilentCluster
const silence = (): Promise<never> => Promise.reject(new SilentCluster('Unavailable', 'nobody is there'))
const refusal = (error: unknown): Promise<never> => Promise.reject(error as Error)

function open(): { patience: Patience; clock: FakeClock } {
  const clock = new FakeClock()
  return { clock, patience: new Patience(clock, () => 0) }
}

describe('Patience', () => {
  it('sends nothing for a while after there was no answer, then lets a single request try', async () => {
    const { patience, clock } = open()
    let sent = 0
    const send = (answer: () => Promise<string>) => patience.run(() => (sent++, answer()), isSilence)
    await expect(send(silence)).rejects.toThrow('nobody is there')
    await expect(send(silence)).rejects.toMatchObject({
      message: 'nobody is there',
      mayHaveTakenEffect: false,
      retryAfterMs: expect.any(Number) as number,
    })
    expect(sent).toBe(1)
    await clock.advance(5_000)
    let finish: ((answer: string) => void) | undefined
    const trying = send(() => new Promise((resolve) => (finish = resolve)))
    await expect(send(silence)).rejects.toThrow('nobody is there')
    expect(sent).toBe(2)
    finish?.('hello')
    expect(await trying).toBe('hello')
    expect(await send(() => Promise.resolve('again'))).toBe('again')
  })

  it('waits longer after each silence, and at most a minute', async () => {
    const { patience, clock } = open()
    const waits: number[] = []
    for (let i = 0; i < 10; i++) {
      await expect(patience.run(silence, isSilence)).rejects.toThrow()
      const again = await patience.run(silence, isSilence).catch((error: unknown) => error as ExternalError)
      waits.push((again as ExternalError).retryAfterMs ?? 0)
      await clock.advance(120_000)
    }
    expect(waits.slice(0, 3).every((wait, i) => i === 0 || wait > (waits[i - 1] ?? 0))).toBe(true)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000 * 1.2)
  })

  it('takes a refusal for an answer', async () => {
    const { patience } = open()
    await expect(patience.run(() => refusal(new ExternalError('Denied', 'no')), isSilence)).rejects.toThrow('no')
    expect(await patience.run(() => Promise.resolve(1), isSilence)).toBe(1)
  })

  it('does not take it for an answer that somebody gave up waiting', async () => {
    const { patience, clock } = open()
    await expect(patience.run(silence, isSilence)).rejects.toThrow()
    await clock.advance(5_000)
    await expect(patience.run(() => refusal(new DOMException('stopped', 'AbortError')), isSilence)).rejects.toThrow('stopped')
    await expect(patience.run(silence, isSilence)).rejects.toThrow()
    const waits = await patience.run(silence, isSilence).catch((error: unknown) => (error as ExternalError).retryAfterMs)
    expect(waits).toBeGreaterThan(1_000)
  })

  it('lets no more requests join those that wait suspiciously long', async () => {
    const { patience, clock } = open()
    let finish: ((answer: number) => void) | undefined
    const waiting = patience.run(() => new Promise<number>((resolve) => (finish = resolve)), isSilence)
    await clock.advance(1_000)
    expect(await patience.run(() => Promise.resolve(1), isSilence)).toBe(1)
    const another = patience.run(() => new Promise<number>(() => undefined), isSilence)
    void another
    finish?.(0)
    await waiting
    await clock.advance(3_000)
    await expect(patience.run(() => Promise.resolve(1), isSilence)).rejects.toThrow(/slow/)
    expect(patience.idle).toBe(false)
  })
})
