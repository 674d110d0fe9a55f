import { Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { CommandFailure } from '../../report.ts'
import { type FunctionRunOptions, runFunction } from './run.ts'

async function ask(
  name: string,
  lines: readonly string[],
  options: Partial<FunctionRunOptions> = {},
): Promise<{ code: number; answers: unknown[] }> {
  let text = ''
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  const code = await runFunction(name, { timeout: 1000, ...options }, Readable.from(lines.map((line) => `${line}\n`)), output)
  return {
    code,
    answers: text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown),
  }
}

describe('weft function run', () => {
  test('a built-in function answers line by line', async () => {
    const request = {
      observed: { resources: { a: { resource: { apiVersion: 'v1', kind: 'Secret' } } } },
      desired: { resources: { a: { resource: {} } } },
    }
    const { code, answers } = await ask('function-auto-ready', [JSON.stringify(request), '', '{"meta":{"tag":"t"}}'])
    expect(code).toBe(0)
    expect(answers).toEqual([
      { meta: { ttl: '60s' }, desired: { resources: { a: { resource: {}, ready: 'READY_TRUE' } } } },
      { meta: { tag: 't', ttl: '60s' }, desired: {} },
    ])
  })

  test('a line that is no request has an error in its place, and the others are answered', async () => {
    const { code, answers } = await ask('function-auto-ready', ['nonsense', '{"nonsense":1}', '{}'])
    expect(code).toBe(1)
    expect(answers).toMatchObject([{ error: { code: 'BadRequest' } }, { error: { code: 'BadRequest' } }, { meta: { ttl: '60s' } }])
  })

  test('a function that is not there says how to reach it', async () => {
    await expect(ask('mine', [], { kubeconfig: '/nowhere' })).rejects.toThrow(CommandFailure)
    await expect(ask('mine', [], { kubeconfig: '/nowhere' })).rejects.toThrow(/--address.*--module.*--functions.*\/nowhere/s)
    const { code, answers } = await ask('mine', ['{}'], { address: 'localhost:1', timeout: 30_000 })
    expect(code).toBe(1)
    expect(answers).toMatchObject([{ error: { code: 'Unavailable' } }])
  })
})
