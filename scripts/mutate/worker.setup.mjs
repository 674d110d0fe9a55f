// In every test process of a mutation run: which switch is on, which are reached by which test, and a clock that a loop without end cannot stop.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, expect, inject, vi } from 'vitest'

const { active, limit, reached } = inject('mutation')

if (active === undefined) {
  const running = new Map()
  const ended = {}
  const always = new Set()
  globalThis.__weftMutant = (id) => {
    if (running.size === 0) always.add(id)
    for (const ids of running.values()) ids.add(id)
    return false
  }
  beforeEach(({ task }) => {
    running.set(task.id, new Set())
  })
  afterEach(({ task }) => {
    ended[task.id] = [...running.get(task.id)]
    running.delete(task.id)
  })
  afterAll(() => {
    const file = expect.getState().testPath
    if (reached !== undefined)
      writeFileSync(join(reached, `${process.pid}.json`), JSON.stringify({ file, always: [...always], tests: ended }))
  })
} else globalThis.__weftMutant = (id) => id === active

if (limit !== undefined) {
  vi.setConfig({ testTimeout: limit, hookTimeout: limit })
  const clock = `const { workerData } = require('node:worker_threads')
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), workerData)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData + 3_000)`
  new Worker(clock, { eval: true, workerData: limit + 2_000, execArgv: [] }).unref()
}
