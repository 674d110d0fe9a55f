// `npm run mutate` finds what is planted: killed where the tests look, survived where they do not, the same again with the same seed.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A vitest of its own for each, and a process for each change. */
const MINUTES = 600_000

async function mutate(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const ran = promisify(execFile)(process.execPath, ['scripts/mutate.mjs', 'test/mutate/planted', '--verbose', ...args], { cwd: ROOT })
  const { code, stdout } = await ran.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  return { code, lines: stdout.split('\n') }
}

const outcome = (lines: readonly string[], change: string): string | undefined => lines.find((line) => line.includes(change))?.split(' ')[0]

it('says which changes no test notices, and where', { timeout: MINUTES }, async () => {
  const { lines } = await mutate('--sample', 'all', '--seed', '7')
  expect(outcome(lines, 'fee.ts:8  return sum')).toBe('killed')
  expect(outcome(lines, 'fee.ts:6  without  sum += 10')).toBe('killed')
  expect(outcome(lines, 'fee.ts:5  left > 0  ->  left >= 0')).toBe('killed')
  expect(outcome(lines, 'fee.ts:13  member  ->  false')).toBe('killed')
  expect(outcome(lines, 'fee.ts:13  member  ->  true')).toBe('survived')
  expect(lines.find((line) => line.includes('fee.ts:12  return 1  ->  undefined'))).toMatch(/^survived .*no test gets here/)
  // A loop without end: the clock stops it.
  expect(lines.find((line) => line.includes('fee.ts:5  left > 0  ->  left <= 0'))).toMatch(/^killed .*(timed out|Worker)/)
  expect(lines.at(-2)).toMatch(/^\d+ of \d+ killed.*survived: .* %.*--seed 7$/)
})

it('chooses the same with the same seed, and fails below the score that was asked for', { timeout: MINUTES }, async () => {
  const first = await mutate('--sample', '2', '--seed', '42', '--least', '101')
  const second = await mutate('--sample', '2', '--seed', '42')
  expect([first.code, second.code]).toEqual([1, 0])
  const places = ({ lines }: { lines: string[] }) => lines.filter((line) => /^(killed|survived)/.test(line))
  expect(places(second)).toEqual(places(first))
  expect(places(first)).toHaveLength(2)
})
