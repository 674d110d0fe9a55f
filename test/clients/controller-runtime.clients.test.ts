import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
const program = 'skipped' in clients ? undefined : clients.controllerRuntime

describe.runIf(program !== undefined)('an unmodified controller-runtime program', () => {
  let weft: WeftProcess
  beforeAll(async () => {
    weft = await startWeft()
  })
  afterAll(() => weft.stop())

  test('runs its manager, cache, server-side apply, leader election, events, finalizers and garbage collection', async () => {
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(program ?? '', ['--kubeconfig', weft.kubeconfig], (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
      )
    })
    expect(output).toMatch(/22 passed, 0 failed/)
    expect(code).toBe(0)
  })
})
