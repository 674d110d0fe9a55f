import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgress } from './progress.ts'
import { guardTerminal } from './terminal/terminal.ts'

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
    expect(written).toContain(`(2s) waiting for x: ${'a'.repeat(58)}…`)
    expect(written).not.toContain('a'.repeat(61))
    expect(written).not.toContain('\n')
  }))

test('whatever is printed meanwhile takes the place of the line that changes, and does not follow it', async () => {
  const streams = [process.stdout, process.stderr]
  const before = streams.map((stream) => ({ stream, isTTY: stream.isTTY, columns: stream.columns }))
  for (const stream of streams) {
    Object.assign(stream, { isTTY: true, columns: 80 })
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text)
      return true
    })
  }
  // As the command does it when it starts.
  guardTerminal()
  try {
    await withProgress('applying 3 objects', async () => {
      await vi.advanceTimersByTimeAsync(1_500)
      process.stdout.write('configmap/a created\n')
      process.stdout.write('configmap/b created\n')
      await vi.advanceTimersByTimeAsync(1_000)
      process.stderr.write('Warning: c is deprecated\n')
    })
  } finally {
    for (const { stream, ...was } of before) Object.assign(stream, was)
  }
  const [line, wiped] = ['applying 3 objects …', '\r\u001B[2K']
  expect(written).toBe(`(1s) ${line}${wiped}configmap/a created\nconfigmap/b created\n(2s) ${line}${wiped}Warning: c is deprecated\n`)
})
