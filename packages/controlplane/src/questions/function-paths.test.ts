import { FUNCTION_PATHS, requestEntityTooLarge, StatusError } from '@weft/api'
import type { ApiRequest, PathHandler } from '@weft/apiserver'
import { expect, test } from 'vitest'
import { functionPaths } from './function-paths.ts'
import { functionQuestions } from './function-questions.ts'

const MIB = 1024 * 1024

/** What somebody is answered who sends this much, as the server's front reads it: `mayWrite`, if pipelines are theirs to write. */
async function send(question: string, mayWrite: boolean, part?: Parameters<typeof functionPaths>[0]) {
  const limits: number[] = []
  const request = {
    method: 'POST',
    path: FUNCTION_PATHS.run,
    signal: new AbortController().signal,
    body: {
      kind: 'bytes',
      async read(limit: number) {
        limits.push(limit)
        if (question.length > limit) throw requestEntityTooLarge(`limit is ${limit}`)
        return Buffer.from(question)
      },
    },
  } as unknown as ApiRequest
  const functions = functionQuestions({ answer: async (asked) => ({ response: asked }) })
  const authority = { allows: () => mayWrite, resourceOf: () => undefined }
  const handler: PathHandler = functionPaths(part ?? (() => ({ functions, authority })))
  const answered = await Promise.resolve(handler(request, {} as never, { username: 'ada', groups: [] })).catch((error: unknown) => {
    if (error instanceof StatusError) return `${error.code} ${error.message}`
    throw error
  })
  return { limits, answered }
}

const long = (mib: number): string => JSON.stringify('x'.repeat(mib * MIB))

test('a question is answered', async () => {
  const { answered } = await send('{"function":"f"}', false)
  expect(answered).toMatchObject({ status: 200, body: { bytes: '{"response":{"function":"f"}}' } })
})

test('who may not write pipelines may send no more than with any other request, and is told so', async () => {
  const { answered, limits } = await send(long(3), false)
  expect(limits).toEqual([3 * MIB])
  expect(answered).toMatch(/^413 .*3 MiB.*may not write pipelines.*escalate on compositions/)
})

test('who may write pipelines may ask what the control plane asks', async () => {
  expect((await send(long(4), true)).answered).toMatchObject({ status: 200 })
  expect((await send(long(32), true)).answered).toMatch(/^413 .*32 MiB$/)
})

test('what is no JSON is refused; before functions can be asked there is no such path', async () => {
  expect((await send('{', true)).answered).toMatch(/^400 .*not JSON/)
  expect((await send('{}', true, () => undefined)).answered).toBeUndefined()
})
