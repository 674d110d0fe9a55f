import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const bytes = (text: string) => ({ kind: 'bytes', read: () => Promise.resolve(Buffer.from(text)) }) as never

test('a question keeps the digits of its integers', async () => {
  expect(await readJson(bytes('{"max":7227701560655103599}'), 1_000)).toEqual({ max: 7227701560655103599n })
})

test('a question that is no JSON is refused', async () => {
  await expect(readJson(bytes('{'), 1_000)).rejects.toMatchObject({ status: { code: 400 } })
})
