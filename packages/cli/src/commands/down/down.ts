import { lockOwner } from '@weft/apiserver'
import { sleep, systemClock } from '@weft/client'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'

const POLL_MS = 50

/** Asks the process to stop and waits until it holds the data directory no more. Nothing to stop is no failure. */
export async function down({ dataDir, timeout }: { readonly dataDir: string; readonly timeout: number }): Promise<number> {
  const directory = join(dataDir, 'storage')
  if (!existsSync(dataDir)) throw new CommandFailure(`there is no data directory ${dataDir}: --data-dir names the one of \`weft up\``)
  const owner = lockOwner(directory)
  if (owner === undefined) {
    process.stdout.write(`no control plane runs with ${dataDir}\n`)
    return 0
  }
  if (owner.isElsewhere)
    throw new CommandFailure(`the control plane of ${dataDir} is process ${owner.pid} of another container: stop it there`)
  try {
    process.kill(owner.pid, 'SIGTERM')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EPERM')
      throw new CommandFailure(`process ${owner.pid} is somebody else’s: stop it as the user who started it`, { cause })
  }
  const deadline = Date.now() + timeout
  await withProgress(`waiting for process ${owner.pid} to stop`, async () => {
    while (lockOwner(directory)?.pid === owner.pid) {
      if (Date.now() > deadline)
        throw new CommandFailure(
          `process ${owner.pid} has not stopped after ${timeout / 1000} s: wait, or end it with \`kill -9 ${owner.pid}\` (no acknowledged write is lost)`,
        )
      await sleep(systemClock, POLL_MS)
    }
  })
  process.stdout.write(`stopped process ${owner.pid}; data stays in ${dataDir}\n`)
  return 0
}
