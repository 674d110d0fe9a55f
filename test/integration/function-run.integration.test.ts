import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { weftWith } from './weft-command.ts'

/** Answers how many resources it was shown. */
const MODULE = `var functionModule = { default: ({ observed }) => ({ output: { seen: Object.keys(observed?.resources ?? {}).length } }) }`

let dataDir: string
let plane: TestControlPlane
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weft-function-run-'))
  plane = await startControlPlane({
    dataDir,
    functionModules: { find: (name) => (name === 'counting' ? { code: MODULE, file: 'function.ts' } : undefined) },
  })
})
afterAll(async () => {
  await plane.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const ask = async (name: string, ...requests: readonly unknown[]) => {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  const { code, stdout } = await weftWith({ input }, 'function', 'run', name, '--kubeconfig', String(plane.kubeconfigPath))
  return {
    code,
    answers: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  }
}

test('weft function run calls a function of the control plane where it runs, line by line', async () => {
  const shown = { observed: { resources: { a: { resource: {} }, b: { resource: {} } } } }
  const { code, answers } = await ask('counting', shown, { input: 5 }, {})
  expect(answers).toMatchObject([{ output: { seen: 2 } }, { error: { code: 'BadRequest' } }, { output: { seen: 0 } }])
  expect(code).toBe(1)
})

test('of one that is not installed it says so in place of each answer', async () => {
  const { code, answers } = await ask('nobody', {}, {})
  expect(answers).toMatchObject([
    { error: { code: 'NotFound' } },
    { error: { code: 'NotFound', message: expect.stringMatching(/nobody/) as string } },
  ])
  expect(code).toBe(1)
})
