import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { FunctionError } from '../protocol/function-error.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { workerArguments } from './function-worker.ts'
import { WorkerFunctions, type WorkerFunctionsOptions } from './worker-functions.ts'

const REQUEST: RunFunctionRequest = { input: { say: 'grüß dich' } }
let functions: WorkerFunctions
afterEach(() => functions.close())

/** However slow the machine is: only those that are meant to be late are. */
const open = (options: WorkerFunctionsOptions = {}): void => void (functions = new WorkerFunctions({ timeoutMs: 600_000, ...options }))
/** A module whose function has this body; `request` is its argument. */
const run = (
  body: string,
  name = 'f',
  more: { signal?: AbortSignal; deadline?: number; caller?: string; request?: RunFunctionRequest } = {},
): Promise<RunFunctionResponse> =>
  functions.run(
    name,
    { code: `var functionModule = { default: async (request) => { ${body} } }`, file: 'f.ts' },
    { request: REQUEST, ...more },
  )
const failure = async (asked: Promise<unknown>): Promise<FunctionError> => {
  const error: unknown = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof FunctionError) return error
  throw new Error('it answered', { cause: error })
}
const ANSWER = `return { context: { said: request.input.say } }`

describe('functions in workers', () => {
  test('answer, with what they are asked', async () => {
    open()
    expect(await run(ANSWER)).toMatchObject({ context: { said: 'grüß dich' } })
    expect(
      await run(`return { context: { bytes: [...new TextEncoder().encode('é')], text: new TextDecoder().decode([0xc3, 0xa9, 0xff]) } }`),
    ).toEqual({
      context: { bytes: [195, 169], text: 'é\ufffd' },
    })
  })

  test.each<[string, string, string, RegExp]>([
    ['throws', `throw new TypeError('no such zone')`, 'Failed', /function f failed: TypeError: no such zone/],
    ['answers nothing', ``, 'Failed', /answered nothing/],
    ['answers what is no answer', `return { results: 'none' }`, 'BadAnswer', /did not return a RunFunctionResponse/],
    ['answers what is no number', `return { context: { a: null, size: 0 / 0 } }`, 'Failed', /it answered NaN as "size"/],
    ['has a rejection that nobody handles', `Promise.reject(new Error('later')); await new Promise(() => {})`, 'Failed', /later/],
    ['needs too much memory', `const all = []; for (;;) all.push(new Array(4e6).fill(1.5))`, 'Failed', /more than 16 MiB of memory/],
    ['recurses without end', `const down = () => down() + 1; down()`, 'Failed', /RangeError/],
    ['is an endless loop', `for (;;);`, 'DeadlineExceeded', /did not answer in time/],
    ['waits for what never comes', `await new Promise(() => {})`, 'DeadlineExceeded', /did not answer in time/],
  ])('one that %s costs its own callers their answer, and nobody else anything', async (_reason, body, code, message) => {
    open({ memoryMb: 16 })
    // Workers have started by then: what follows is not their time.
    await run(ANSWER, 'good')
    const bad = failure(run(body, 'f', code === 'DeadlineExceeded' ? { deadline: Date.now() + 500 } : {}))
    expect(await run(ANSWER, 'good')).toMatchObject({ context: { said: 'grüß dich' } })
    const error = await bad
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
    expect(await run(ANSWER)).toMatchObject({ context: { said: 'grüß dich' } })
  })

  test('have nothing of the process: no modules, no environment, no network, no evaluation of texts', async () => {
    open()
    const names = ['process', 'require', 'module', 'fetch', 'Buffer', 'setTimeout', 'WebAssembly', 'SharedArrayBuffer']
    const types = await run(`return { context: { types: ${JSON.stringify(names)}.map((name) => typeof globalThis[name]) } }`)
    expect(types.context?.['types']).toEqual(names.map(() => 'undefined'))
    expect((await failure(run(`return new Function('return this')()`))).message).toContain('EvalError')
    expect((await failure(run(`return await import('node:fs')`))).code).toBe('Failed')
  })

  test('wait for their turn, and not longer than their callers', async () => {
    open({ maxWorkers: 1 })
    await run(ANSWER)
    const slow = failure(run(`for (;;);`, 'f', { deadline: Date.now() + 1_500 }))
    // Of another module under the same name, so that it has a worker of its own: what was changed does not wait for what was.
    expect(await run(ANSWER)).toMatchObject({ context: {} })
    expect((await slow).code).toBe('DeadlineExceeded')
    const first = failure(run(`for (;;);`, 'g', { deadline: Date.now() + 1_500 }))
    const second = failure(run(`for (;;);`, 'g', { deadline: Date.now() + 100 }))
    expect((await second).message).toMatch(/busy with other calls/)
    const gone = new AbortController()
    const third = failure(run(`for (;;);`, 'g', { signal: gone.signal }))
    gone.abort()
    expect((await third).code).toBe('Cancelled')
    expect((await first).code).toBe('DeadlineExceeded')
  })

  test('are not kept from anybody by one caller, however slow what they ask is', async () => {
    open({ maxWorkers: 2 })
    const body = `if (request.input.say) for (;;); return { context: {} }`
    const gone = new AbortController()
    const slow = Array.from({ length: 5 }, () => failure(run(body, 'f', { signal: gone.signal, caller: 'mallory' })))
    expect(await run(body, 'f', { request: { input: {} }, caller: 'ada' })).toEqual({ context: {} })
    gone.abort()
    expect((await Promise.all(slow)).map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'Cancelled'))
  })

  test('end with whoever asked them, even when they hang', async () => {
    open()
    const worker = spawn(process.execPath, workerArguments(64), { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] })
    const ended = once(worker, 'exit') as Promise<[number | null, string | null]>
    worker.send({ module: { prelude: '', code: 'for (;;);', file: 'f.ts' } })
    // As it is when the process that holds the other end is killed.
    worker.stdin?.destroy()
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  test('say what they say', async () => {
    const lines: string[] = []
    open({ onLog: (name, line) => lines.push(`${name}: ${line}`) })
    await run(`console.log('size', { n: 3 }); ${ANSWER}`)
    expect(lines).toEqual(['f: size {"n":3}'])
  })
})
