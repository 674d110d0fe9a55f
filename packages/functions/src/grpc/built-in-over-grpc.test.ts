import { deepFreeze } from '@weft/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRequest as autoReadyRequest } from '../builtin/auto-ready/request.fixture.ts'
import { builtInFunction } from '../builtin/built-in-functions.ts'
import { anyFields, json, word } from '../builtin/json.fixture.ts'
import { anyRequest as patchAndTransformRequest } from '../builtin/patch-and-transform/request.fixture.ts'
import { requestMessage, requestOf } from '../protocol/codec.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import { FunctionRunners } from '../runner/function-runners.ts'
import { mutualTls, runnerOf, serveFunction, V1, V1Beta1 } from './function-program.fixture.ts'

/** Says in its input what is answered: responses, and what is none. */
const dummyRequest = fc.record({
  desired: fc.record({ resources: fc.dictionary(word('one', 'two'), fc.record({ resource: anyFields({ a: json, b: json }) })) }),
  input: anyFields({
    response: fc.oneof(
      json,
      anyFields({
        meta: anyFields({ ttl: word('5s', '0.5s', '5') }),
        desired: anyFields({
          resources: fc.dictionary(word('two', 'three'), anyFields({ resource: json, ready: word('READY_TRUE', 'MAYBE') })),
        }),
        results: fc.array(anyFields({ severity: word('SEVERITY_FATAL', 'SEVERITY_WARNING', 'LOUD'), message: fc.string() }), {
          maxLength: 2,
        }),
        context: json,
      }),
    ),
  }),
}) as unknown as fc.Arbitrary<RunFunctionRequest>

const FUNCTIONS = {
  'function-patch-and-transform': patchAndTransformRequest,
  'function-auto-ready': autoReadyRequest,
  'function-dummy': dummyRequest,
} as const

/** As every caller has it: what is empty is absent. */
const normal = (request: RunFunctionRequest): RunFunctionRequest => deepFreeze(requestOf(requestMessage(request))) as RunFunctionRequest

describe.each([
  ['v1', V1],
  ['v1beta1', V1Beta1],
])('K102–K112 over %s and mutual TLS', (_, service) => {
  test.each(Object.entries(FUNCTIONS))('%s answers any request as it does in process', async (name, requests) => {
    const builtIn = builtInFunction(`example.org/${name}:v1`)
    if (builtIn === undefined) throw new Error(`${name} is not built in`)
    const { credentials, tls } = mutualTls()
    const program = await serveFunction(builtIn, { service, credentials })
    const overGrpc = runnerOf(program.port, { tls })
    const inProcess = new FunctionRunners({ find: async () => ({ type: 'builtIn', package: name }) })
    try {
      await fc.assert(
        fc.asyncProperty(requests, async (given) => {
          const request = normal({ ...given, meta: { tag: 'asked' } })
          const answer = await inProcess.run(name, request)
          expect(answer.meta?.tag).toBe('asked')
          expect(await overGrpc.run(name, request)).toEqual(answer)
        }),
        { numRuns: 150 },
      )
    } finally {
      overGrpc.close()
      program.close()
    }
  })
})
