import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A process: ids are used again, so a pid alone names nobody for long. */
export interface ProcessIdentity {
  readonly pid: number
  /** Empty where it cannot be told. */
  readonly startedAt: string
}

export const processIdentity = async (pid: number): Promise<ProcessIdentity> => ({ pid, startedAt: await startOf(pid) })

/** Does the very process still run? Where that cannot be told: no, so that nobody ends a stranger. */
export async function isSameProcess({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return startedAt !== '' && (await startOf(pid)) === startedAt
}

async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    // The 22nd field; the 2nd, a name in parentheses, may hold anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? '' : (fields[19] ?? '')
  }
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim()
}
