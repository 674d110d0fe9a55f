import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'

const WAIT_MS = 50
const FAST_MS = 20_000

/**
 * Stops the server that runs in a data directory, if one does, without its programs: they cannot be run by an account that may not enter
 * the folder any more. A process counts as the server only while its working directory is the data directory, as a postmaster's is; a
 * number in a file that outlived its process may be anybody's by now.
 */
export async function stopProcess(data: string): Promise<void> {
  const pid = await serverProcess(data)
  if (pid === undefined) return
  for (const [signal, forMs] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', FAST_MS],
  ] as const) {
    process.kill(pid, signal)
    for (let waited = 0; waited < forMs; waited += WAIT_MS) {
      if ((await serverProcess(data)) === undefined) return
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
  throw new Error(`the PostgreSQL server in ${data} (process ${pid}) does not stop`)
}

/** The process id of the server that runs there. */
export async function serverProcess(data: string): Promise<number | undefined> {
  try {
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    if (!Number.isInteger(pid) || pid <= 1) return undefined
    return (await realpath(`/proc/${pid}/cwd`)) === (await realpath(data)) ? pid : undefined
  } catch {
    return undefined
  }
}
