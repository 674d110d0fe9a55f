import { expect, test } from 'vitest'
import type { FunctionAsker } from '@weft/controllers'
import { functionQuestions } from './function-questions.ts'

const asker = (username: string, signal = new AbortController().signal): FunctionAsker => ({
  username,
  mayWritePipelines: () => false,
  signal,
})
const after = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Questions that are under way until they are let go. */
function slowFunctions(turns?: Parameters<typeof functionQuestions>[1]) {
  const read: string[] = []
  const underWay: (() => void)[] = []
  const questions = functionQuestions(
    { answer: (question) => new Promise((resolve) => underWay.push(() => resolve({ response: question }))) },
    turns,
  )
  const ask = (username: string, signal?: AbortSignal) =>
    questions.answer(
      async () => {
        read.push(username)
        return username
      },
      asker(username, signal),
    )
  return { read, ask, finish: () => underWay.shift()?.() }
}

test('one user has a quarter of the places, and what waits is not read', async () => {
  const { read, ask } = slowFunctions()
  for (let i = 0; i < 40; i++) void ask('mallory')
  await after()
  expect(read).toHaveLength(8)
  void ask('ada')
  await after()
  expect(read).toEqual([...Array.from({ length: 8 }, () => 'mallory'), 'ada'])
})

test('who waits is next when a place is free, each user in turn', async () => {
  const { read, ask, finish } = slowFunctions({ seats: 1, flowShare: 1, queueLength: 10, waitMillis: 60_000 })
  const answers = [ask('mallory'), ask('mallory'), ask('mallory'), ask('ada')]
  for (const left of [3, 2, 1, 0]) {
    await after()
    expect(read).toHaveLength(4 - left)
    finish()
  }
  expect(await Promise.all(answers)).toEqual(['mallory', 'mallory', 'mallory', 'ada'].map((response) => ({ response })))
  expect(read).toEqual(['mallory', 'mallory', 'ada', 'mallory'])
})

test('too many that wait are told to come again, and so is one that waited too long', async () => {
  const { ask } = slowFunctions({ seats: 1, queueLength: 1, waitMillis: 1 })
  void ask('ada')
  const refused = { error: { code: 'Unavailable', message: expect.stringContaining('try again') } }
  expect(await Promise.all([ask('ada'), ask('ada')])).toEqual([refused, refused])
})

test('who goes away while waiting is never read, and a question that cannot be read gives its place back', async () => {
  const { ask, read, finish } = slowFunctions({ seats: 1, queueLength: 5, waitMillis: 60_000 })
  const gone = new AbortController()
  const first = ask('ada')
  const waiting = ask('ada', gone.signal)
  await after()
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  finish()
  await first
  expect(read).toHaveLength(1)

  const questions = functionQuestions({ answer: async () => ({ response: 'answered' }) }, { seats: 1, queueLength: 5, waitMillis: 60_000 })
  await expect(questions.answer(() => Promise.reject(new Error('too long')), asker('ada'))).rejects.toThrow('too long')
  expect(await questions.answer(async () => ({}), asker('ada'))).toEqual({ response: 'answered' })
})
