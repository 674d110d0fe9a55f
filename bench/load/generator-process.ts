import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Load, LoadResult } from './load.ts'

export interface Generator {
  /** One load at a time. */
  run(load: Load): Promise<LoadResult>
  stop(): void
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('../generator.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  return {
    run(load) {
      return new Promise((resolve, reject) => {
        const onExit = (code: number | null): void => reject(new Error(`the load generator ended with ${code}`))
        child.once('exit', onExit)
        child.once('message', (answer: { result?: LoadResult; error?: string }) => {
          child.off('exit', onExit)
          if (answer.result === undefined) reject(new Error(answer.error))
          else resolve(answer.result)
        })
        child.send(load)
      })
    },
    stop: () => child.disconnect(),
  }
}
