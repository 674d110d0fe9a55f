import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream, type sendUnaryData } from '@grpc/grpc-js'
import { afterEach, describe, expect, test } from 'vitest'
import { Echo, type Words, WordsSchema } from './generated/testdata/echo_pb.ts'
import { GrpcClient, type GrpcClientOptions } from './grpc-client.ts'
import { GrpcCode, GrpcError } from './grpc-error.ts'
import { serviceDefinition } from './service-definition.ts'
import type { GrpcTarget } from './target.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** Answers what it is told; "wait" is answered never, and `cancelled` counts who gave that up. */
async function echo(options?: GrpcClientOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'weft-grpc-'))
  ends.push(() => rmSync(directory, { recursive: true, force: true }))
  const seen = { cancelled: 0, sent: 0, deadline: [] as unknown[] }
  const server = new Server({ 'grpc.max_receive_message_length': -1 })
  server.addService(serviceDefinition(Echo), {
    say(call: ServerUnaryCall<Words, Words>, answer: sendUnaryData<Words>) {
      seen.deadline.push(call.getDeadline())
      call.on('cancelled', () => seen.cancelled++)
      if (call.request.text === 'fail') answer({ code: GrpcCode.InvalidArgument, details: 'that is no word' })
      else if (call.request.text !== 'wait') answer(null, call.request)
    },
    count(call: ServerWritableStream<Words, Words>) {
      call.on('cancelled', () => seen.cancelled++)
      const write = (number: bigint): void => {
        if (call.cancelled) return
        if (number === call.request.number)
          return void (call.request.text === 'fail'
            ? call.emit('error', { code: GrpcCode.ResourceExhausted, details: 'no more' })
            : call.end())
        seen.sent++
        call.write(create(WordsSchema, { number, data: new Uint8Array(1024) }), () => write(number + 1n))
      }
      write(0n)
    },
  })
  const target: GrpcTarget = { type: 'unix', path: join(directory, 's') }
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${target.path}`, ServerCredentials.createInsecure(), (error) => (error === null ? resolve() : reject(error))),
  )
  const client = new GrpcClient(target, options)
  ends.push(
    () => server.forceShutdown(),
    () => client.close(),
  )
  return { client, seen, server }
}

const codeOf = async (call: Promise<unknown>): Promise<number> => {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(GrpcError)
  return (error as GrpcError).code
}

describe('a call', () => {
  test('gets its answer, with integers of 64 bits', async () => {
    const { client, seen } = await echo()
    expect(await client.unary(Echo.method.say, { text: 'héllo', number: 9007199254740993n })).toMatchObject({
      text: 'héllo',
      number: 9007199254740993n,
    })
    expect(seen.deadline).toEqual([Infinity])
  })

  test('says what the server refused', async () => {
    const { client } = await echo()
    await expect(client.unary(Echo.method.say, { text: 'fail' })).rejects.toMatchObject({
      code: GrpcCode.InvalidArgument,
      details: 'that is no word',
    })
  })

  test('can be given up, and the server is told', async () => {
    const { client, seen } = await echo()
    const giveUp = new AbortController()
    const call = client.unary(Echo.method.say, { text: 'wait' }, { signal: giveUp.signal })
    await expect.poll(() => seen.deadline.length).toBe(1)
    giveUp.abort()
    expect(await codeOf(call)).toBe(GrpcCode.Cancelled)
    await expect.poll(() => seen.cancelled).toBe(1)
    expect(await codeOf(client.unary(Echo.method.say, {}, { signal: giveUp.signal }))).toBe(GrpcCode.Cancelled)
    expect(seen.deadline).toHaveLength(1)
  })

  test('ends at its deadline', async () => {
    const { client } = await echo()
    expect(await codeOf(client.unary(Echo.method.say, { text: 'wait' }, { timeoutMs: 50 }))).toBe(GrpcCode.DeadlineExceeded)
  })

  test('fails when the server goes away under it', async () => {
    const { client, seen, server } = await echo()
    const call = client.unary(Echo.method.say, { text: 'wait' })
    await expect.poll(() => seen.deadline.length).toBe(1)
    server.forceShutdown()
    expect([GrpcCode.Unavailable, GrpcCode.Cancelled, GrpcCode.Internal]).toContain(await codeOf(call))
  })

  test('T16: takes messages up to its limit, and no larger ones', async () => {
    const data = new Uint8Array(5 * 1024 * 1024)
    const { client } = await echo()
    expect((await client.unary(Echo.method.say, { data })).data).toHaveLength(data.length)
    const { client: small } = await echo({ maxMessageBytes: 1024 * 1024 })
    expect(await codeOf(small.unary(Echo.method.say, { data }))).toBe(GrpcCode.ResourceExhausted)
  })
})

describe('a stream', () => {
  test('gives everything, in order', async () => {
    const { client } = await echo()
    const numbers: bigint[] = []
    for await (const { number } of client.serverStream(Echo.method.count, { number: 5n })) numbers.push(number)
    expect(numbers).toEqual([0n, 1n, 2n, 3n, 4n])
  })

  test('is cancelled by whoever stops reading, and waits for slow readers', async () => {
    const { client, seen } = await echo()
    for await (const { number } of client.serverStream(Echo.method.count, { number: 1_000_000n })) if (number === 2n) break
    await expect.poll(() => seen.cancelled).toBe(1)
    expect(seen.sent).toBeLessThan(1_000_000)
  })

  test('that fails says so', async () => {
    const { client } = await echo()
    const read = async (): Promise<void> => {
      for await (const message of client.serverStream(Echo.method.count, { number: 1n, text: 'fail' })) expect(message.number).toBe(0n)
    }
    expect(await codeOf(read())).toBe(GrpcCode.ResourceExhausted)
  })
})
