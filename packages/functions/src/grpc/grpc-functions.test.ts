import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { Server, ServerCredentials, type sendUnaryData, status } from '@grpc/grpc-js'
import { serviceDefinition, type TlsOptions } from '@weft/grpc'
import { afterEach, describe, expect, test } from 'vitest'
import type { RunFunctionResponse as ResponseMessage } from '../generated/apiextensions/fn/v1/function_runner_pb.ts'
import { responseMessage } from '../protocol/codec.ts'
import { FunctionError } from '../protocol/function-error.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import type { FunctionRunners } from '../runner/function-runners.ts'
import { parseFunctionAddress } from './function-address.ts'
import { type Answer, mutualTls, runnerOf, serveFunction, type ServeOptions, V1, V1Beta1 } from './function-program.fixture.ts'
import type { GrpcFunctionsOptions } from './grpc-functions.ts'

const MIB = 1024 * 1024
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

async function serve(answer: Answer, options: ServeOptions = {}): Promise<number> {
  const program = await serveFunction(answer, options)
  ends.push(program.close)
  return program.port
}

function runner(port: number, options: GrpcFunctionsOptions & { readonly tls?: TlsOptions } = {}): FunctionRunners {
  const made = runnerOf(port, options)
  ends.push(() => made.close())
  return made
}

const failure = async (call: Promise<unknown>): Promise<FunctionError> => {
  const error: unknown = await call.then(
    () => new Error('it answered'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof FunctionError)) throw error
  return error
}

const everything: RunFunctionRequest = {
  meta: { tag: 't', capabilities: ['CAPABILITY_CAPABILITIES', 'CAPABILITY_CONDITIONS'] },
  observed: { composite: { resource: { apiVersion: 'v1', kind: 'X', n: 1.5, nothing: null }, connectionDetails: { k: 'dg==' } } },
  desired: { resources: { one: { resource: { a: [1, 'x', null] }, ready: 'READY_FALSE' } } },
  input: { fine: true },
  context: { c: {} },
  credentials: { key: { credentialData: { data: { secret: 'AAE=' } } } },
  requiredResources: { found: { items: [{ resource: { b: 1 } }] }, missing: {} },
  requiredSchemas: { s: { openapiV3: { type: 'object' } } },
}

const answer: RunFunctionResponse = {
  meta: { tag: 't', ttl: '1.500s' },
  desired: { composite: { resource: { status: { ok: true } }, ready: 'READY_TRUE' } },
  results: [{ severity: 'SEVERITY_FATAL', message: 'no', reason: 'Why', target: 'TARGET_COMPOSITE_AND_CLAIM' }, { message: 'unspecified' }],
  context: { c: { d: 1 } },
  requirements: { resources: { r: { apiVersion: 'v1', kind: 'K', matchLabels: { labels: { a: 'b' } }, namespace: 'n' } } },
  conditions: [{ type: 'T', status: 'STATUS_CONDITION_FALSE', reason: 'R', message: 'm' }],
}

describe('K102–K109 the protocol', () => {
  test.each([
    ['v1', V1],
    ['v1beta1', V1Beta1],
  ])('%s: everything arrives, both ways', async (_, service) => {
    let seen: RunFunctionRequest | undefined
    const port = await serve(
      (request) => {
        seen = request
        return answer
      },
      { service },
    )
    const functions = runner(port)
    expect(await functions.run('f', everything)).toEqual(answer)
    expect(seen).toEqual(everything)
    expect(await functions.run('f', everything)).toEqual(answer)
  })

  test('K59: a request has a tag that is the same for the same question, and for no other', async () => {
    const tags: (string | undefined)[] = []
    const functions = runner(await serve((request) => (tags.push(request.meta?.tag), { meta: { tag: request.meta?.tag ?? '' } })))
    const capabilities = { capabilities: ['CAPABILITY_CAPABILITIES'] } as const
    await functions.run('f', { meta: capabilities, input: { a: 1, b: { c: 2, d: 3 } } })
    await functions.run('f', { meta: capabilities, input: { b: { d: 3, c: 2 }, a: 1 } })
    await functions.run('f', { meta: capabilities, input: { a: 1, b: { c: 2, d: 4 } } })
    await functions.run('f', { meta: { ...capabilities, tag: 'given' }, input: { a: 1 } })
    const [first, again, other, given] = tags
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(again).toBe(first)
    expect(other).toMatch(/^[0-9a-f]{64}$/)
    expect(other).not.toBe(first)
    expect(given).toBe('given')
  })

  test('K111 messages of 20 MiB', async () => {
    const text = 'x'.repeat(20 * MIB)
    const port = await serve(({ input }) => ({ output: { back: input?.['text'] ?? null } }))
    const { output } = await runner(port).run('f', { input: { text } })
    expect(output?.['back']).toBe(text)
  })

  test('K112 both sides show certificates', async () => {
    const { credentials, tls } = mutualTls()
    const port = await serve(() => answer, { credentials })
    expect(await runner(port, { tls }).run('f', everything)).toEqual(answer)
    expect((await failure(runner(port, { tls: { ca: tls.ca }, timeoutMs: 3000 }).run('f', everything))).code).toBe('Unavailable')
  })
})

describe('functions that misbehave', () => {
  test('one that hangs costs its caller the deadline and nobody else anything', async () => {
    const port = await serve(({ input }) => (input?.['hang'] === true ? undefined : answer))
    const functions = runner(port, { timeoutMs: 60_000 })
    const hanging = failure(functions.run('hanging', { input: { hang: true } }, { deadline: Date.now() + 300 }))
    expect(await functions.run('f', {})).toEqual(answer)
    const error = await hanging
    expect(error.code).toBe('DeadlineExceeded')
    expect(error.message).toContain('hanging')
  })

  test('a caller who gives up is let go at once', async () => {
    const port = await serve(() => undefined)
    const stop = new AbortController()
    const call = failure(runner(port).run('f', {}, { signal: stop.signal }))
    stop.abort()
    expect((await call).code).toBe('Cancelled')
  })

  test('no more calls than allowed are under way, and those that wait have a deadline too', async () => {
    let most = 0
    let underWay = 0
    const port = await serve((_, call) => {
      most = Math.max(most, ++underWay)
      call.on('cancelled', () => underWay--)
      return undefined
    })
    const functions = runner(port, { maxCalls: 2, timeoutMs: 400 })
    const errors = await Promise.all(Array.from({ length: 5 }, () => failure(functions.run('f', {}))))
    expect(errors.every(({ code }) => code === 'DeadlineExceeded')).toBe(true)
    expect(most).toBe(2)
  })

  test('one that dies during the call', async () => {
    const tcp = createTcpServer((socket) => socket.once('data', () => socket.destroy()))
    const port = await listen(tcp)
    expect((await failure(runner(port, { timeoutMs: 5000 }).run('f', {}))).code).toBe('Unavailable')
  })

  test('one that is not there', async () => {
    const tcp = createTcpServer()
    const port = await listen(tcp)
    await new Promise((resolve) => tcp.close(resolve))
    const error = await failure(runner(port, { timeoutMs: 20_000 }).run('missing', {}))
    expect(error.message).toMatch(
      new RegExp(`missing cannot be reached at localhost:${port}: connect ECONNREFUSED \\S+:${port}\\. Is it running\\?$`),
    )
  })

  test('one that starts a moment later is reached', async () => {
    const tcp = createTcpServer()
    const port = await listen(tcp)
    await new Promise((resolve) => tcp.close(resolve))
    const call = runner(port, { timeoutMs: 20_000 }).run('f', {})
    const server = new Server()
    ends.push(() => server.forceShutdown())
    server.addService(serviceDefinition(V1), {
      runFunction: (_: unknown, done: sendUnaryData<ResponseMessage>) => done(null, responseMessage(answer)),
    })
    await new Promise((resolve) => server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), resolve))
    expect(await call).toEqual(answer)
  })

  test('one that answers rubbish', async () => {
    const rubbish = (bytes: Buffer): ReturnType<typeof createHttp2Server> =>
      createHttp2Server().on('stream', (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
        const head = Buffer.from([0, 0, 0, 0, bytes.length])
        stream.end(Buffer.concat([head, bytes]))
      })
    const port = await listen(rubbish(Buffer.from([0xff, 0xff, 0xff])))
    expect((await failure(runner(port).run('f', {}))).code).toBe('BadAnswer')
    // A message that can be read, and holds what JSON cannot: desired.composite.resource.fields.x = NaN.
    const nan = Buffer.from('12140a120a100a0e0a0178120911000000000000f87f', 'hex')
    const other = await listen(rubbish(nan))
    const error = await failure(runner(other).run('f', {}))
    expect(error.code).toBe('BadAnswer')
  })

  test('one that fails in words of its own, whatever code it gives them', async () => {
    for (const code of [status.INTERNAL, status.UNKNOWN]) {
      const port = await serve(() => Promise.reject(Object.assign(new Error('no'), { code, details: 'the catalogue is empty' })))
      const error = await failure(runner(port).run('f', {}))
      expect(error.code).toBe('Failed')
      expect(error.message).toBe(`function f at localhost:${port} failed: the catalogue is empty`)
    }
  })

  test('one that answers more than is allowed', async () => {
    const port = await serve(() => ({ output: { text: 'x'.repeat(2 * MIB) } }))
    const error = await failure(runner(port, { maxMessageBytes: MIB }).run('f', {}))
    expect(error.code).toBe('BadAnswer')
  })

  test('what listens is something else', async () => {
    const server = new Server()
    ends.push(() => server.forceShutdown())
    const port = await new Promise<number>((resolve) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound)),
    )
    expect((await failure(runner(port).run('f', {}))).message).toContain('is not a composition function')
  })
})

function listen(server: {
  listen(port: number, host: string, done: () => void): unknown
  address(): unknown
  close(): unknown
}): Promise<number> {
  ends.push(() => server.close())
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

test('addresses', () => {
  expect(parseFunctionAddress('dns:///svc.ns:9443')).toEqual({ type: 'tcp', host: 'svc.ns', port: 9443 })
  expect(parseFunctionAddress('[::1]:1')).toEqual({ type: 'tcp', host: '::1', port: 1 })
  expect(parseFunctionAddress('unix:///run/f')).toEqual({ type: 'unix', path: '/run/f' })
  for (const wrong of ['', 'host', 'host:0', 'host:99999', 'http://host:1', ':9443'])
    expect(parseFunctionAddress(wrong), wrong).toBeUndefined()
})
