import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { printOutput, withProgress } from './progress.ts'

let written: string
beforeEach(() => {
  written = ''
  vi.useFakeTimers()
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const withTerminal = async <T>(isTTY: boolean, work: () => Promise<T>): Promise<T> => {
  const { stderr } = process
  const before = { isTTY: stderr.isTTY, columns: stderr.columns }
  Object.assign(stderr, { isTTY, columns: 80 })
  try {
    return await work()
  } finally {
    Object.assign(stderr, before)
  }
}

test('says nothing of what is done at once, whatever was told', async () => {
  expect(await withProgress('waiting', async (tell) => (tell('why'), 1))).toBe(1)
  expect(written).toBe('')
})

test('where nobody watches: each reason once, a line each', () =>
  withTerminal(false, async () => {
    await withProgress('waiting for x', async (tell) => {
      tell('first')
      await vi.advanceTimersByTimeAsync(2_000)
      tell('first')
      tell('second')
      // As of a program that ends again and again.
      tell('first')
      tell('second')
    })
    expect(written).toBe('waiting for x: first\nwaiting for x: second\n')
  }))

test('where nobody watches, and programs count on it: nothing', () =>
  withTerminal(false, async () => {
    await withProgress(
      'waiting for x',
      async (tell) => {
        await vi.advanceTimersByTimeAsync(2_000)
        tell('why')
      },
      { atTerminal: true },
    )
    expect(written).toBe('')
  }))

test('at a terminal: one line that changes, fits, and is gone in the end', () =>
  withTerminal(true, async () => {
    await withProgress('waiting for x', async (tell) => {
      await vi.advanceTimersByTimeAsync(2_000)
      tell('a'.repeat(200))
    })
    expect(written).toContain('(1s) waiting for x …')
    expect(written).toContain(`(2s) waiting for x: ${'a'.repeat(59)}`)
    expect(written).not.toContain('a'.repeat(61))
    expect(written).not.toContain('\n')
  }))

test('a line of output takes the place of the line that changes, and does not follow it', () =>
  withTerminal(true, async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written += String(text)
      return true
    })
    await withProgress('waiting for x', async () => {
      await vi.advanceTimersByTimeAsync(1_500)
      const shownBefore = written
      printOutput('x is ready')
      // What is on the terminal is wiped before the line comes.
      expect(written.slice(shownBefore.length)).toMatch(/2K[^a-z]*x is ready\n$/)
    })
  }))
