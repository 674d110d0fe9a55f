import { recordedCases, recording } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { autoReady } from './auto-ready/auto-ready.ts'
import { patchAndTransform } from './patch-and-transform/patch-and-transform.ts'

/** What the Go program answered. Without a response it ended by a panic. */
interface Case {
  readonly name: string
  readonly request: RunFunctionRequest
  readonly response?: RunFunctionResponse
  readonly messageUnstable?: boolean
}

const programs: readonly [file: string, run: typeof autoReady, least: number][] = [
  ['patch-and-transform.jsonl', patchAndTransform, 2000],
  ['auto-ready.jsonl', autoReady, 100],
]

describe.each(programs)('K202–K220 the recorded answers of %s', (file, run, least) => {
  test.skipIf(recording(file) === undefined)('are given to every recorded request', () => {
    const cases = recordedCases<Case>(file)
    expect(cases.length).toBeGreaterThan(least)
    for (const { name, request, response, messageUnstable } of cases) {
      const before = JSON.stringify(request)
      const answer = run(request)
      if (response === undefined)
        expect(
          answer.results?.map(({ severity }) => severity),
          name,
        ).toContain('SEVERITY_FATAL')
      else expect(comparable(answer, messageUnstable), name).toEqual(comparable(response, messageUnstable))
      expect(JSON.stringify(request), `${name}: the request is untouched`).toBe(before)
      expect(run(request), `${name}: what is remembered changes nothing`).toEqual(answer)
    }
  })
})

/** A JSON library of Go's words its errors at random on purpose. */
function comparable(response: RunFunctionResponse, unstable = false): RunFunctionResponse {
  if (!unstable) return response
  return {
    ...response,
    results: (response.results ?? []).map((result) => ({
      ...result,
      message: (result.message ?? '').replace(/(cannot unmarshal JSON from \*structpb\.Struct).*/s, '$1'),
    })),
  }
}
