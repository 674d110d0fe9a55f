import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OBJECT_CASES } from './object-cases.ts'
import { OTHER_CASES } from './other-cases.ts'
import { PROTOBUF_CASES } from './protobuf-cases.ts'
import { SCENES } from './scenes.ts'
import { prepare } from './world.ts'
import { WorkCounter } from './count-work.ts'
import type { BareServer } from '../bare-server.ts'

/**
 * Twice the input is at most about twice the work, whatever is asked: one request must not keep the others waiting. Work is counted,
 * never timed (count-work.ts).
 */

const SIZE = 400
/** Of the second doubling's extra work to the first one's: 2 is linear, 4 quadratic; sorting is a little above 2. */
const MOST_GROWTH = 2.7

/** Successes, and refusals; 500 is what kube-apiserver answers to applied fields that a kind does not have, 404 where the object was refused before. */
const ANSWERS = [200, 201, 400, 404, 413, 422, 500]

const directory = mkdtempSync(join(tmpdir(), 'weft-growth-'))
const bundle = pathToFileURL(join(directory, 'server.mjs')).href
const counter = new WorkCounter((url) => url === bundle)
let server: BareServer

beforeAll(async () => {
  // As ES2017, where copying an object is a loop that can be counted.
  await build({
    entryPoints: [join(import.meta.dirname, '..', 'bare-server.ts')],
    outfile: join(directory, 'server.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2017',
    supported: {
      'class-private-field': true,
      'class-private-method': true,
      'class-field': true,
      bigint: true,
      'async-generator': true,
      'for-await': true,
      'import-meta': true,
      'top-level-await': true,
      'dynamic-import': true,
      'regexp-unicode-property-escapes': true,
      'regexp-lookbehind-assertions': true,
      'regexp-named-capture-groups': true,
      'regexp-dot-all-flag': true,
      'class-static-blocks': true,
      'class-static-field': true,
      'class-private-static-field': true,
      'class-private-static-method': true,
      'class-private-accessor': true,
      'class-private-static-accessor': true,
      'class-private-brand-check': true,
    },
    external: ['lmdb'],
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'warning',
  })
  counter.start()
  const { startBareServer } = (await import(/* @vite-ignore */ bundle)) as typeof import('../bare-server.ts')
  server = await startBareServer()
  await prepare(server)
})

afterAll(async () => {
  counter.stop()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the work of a request grows as its size does', () => {
  it.each([...OBJECT_CASES, ...OTHER_CASES, ...PROTOBUF_CASES].map((each) => [each.name, each] as const))(
    '%s',
    async (_, { requests, answers, size = SIZE, before, bound }) => {
      const work: number[] = []
      // The smallest twice: what is kept from the first time is not counted.
      for (const n of [size / 2, size / 2, size, size * 2]) {
        for (const request of before?.(n) ?? []) await server.send(request)
        const sent = requests(n)
        work.push(
          await counter.during(async () => {
            const { status } = await server.send(sent)
            expect(answers ?? ANSWERS).toContain(status)
          }),
        )
      }
      expectGrowth(work, bound)
    },
  )

  it.each(SCENES.map((each) => [each.name, each] as const))('%s', async (_, { prepare: set, size, tries = 1 }) => {
    const work: number[] = []
    for (const n of [size / 2, size / 2, size, size * 2]) {
      const counts: number[] = []
      while (counts.length < tries) counts.push(await counter.during(await set(server, n)))
      work.push(Math.min(...counts))
    }
    expectGrowth(work)
  })
})

function expectGrowth(work: readonly number[], bound?: number): void {
  const [, small = 0, middle = 0, large = 0] = work
  expect(large, `the counter saw nothing: ${work.join(', ')}`).toBeGreaterThan(100)
  if (bound !== undefined) {
    expect(large, `work: ${work.join(', ')}`).toBeLessThan(bound)
    return
  }
  const growth = (large - middle) / Math.max(middle - small, small / 2)
  expect(growth, `work: ${work.join(', ')}`).toBeLessThan(MOST_GROWTH)
}
