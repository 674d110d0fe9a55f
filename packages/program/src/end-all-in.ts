import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Something may begin while the others are being ended; what the system does not let go is not waited for. */
const LOOKS = 100
const LOOK_MS = 10

/**
 * Ends whatever has this folder as its root. A process can leave its group and its session, and be nobody's child; the root that root gave it, it cannot leave. Nothing
 * where we are not root, since then nothing was given such a root, or the system ends it with its namespace.
 */
export async function endAllIn(folder: string): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const wanted = await look(folder)
  if (wanted === undefined || isSame(wanted, await look('/'))) return
  for (let looks = 0; looks < LOOKS; looks++) {
    let isLeft = false
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid) || !isSame(wanted, await look(`/proc/${pid}/root`))) continue
      isLeft = true
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
    }
    if (!isLeft) return
    await sleep(LOOK_MS)
  }
}

const look = (path: string): Promise<BigIntStats | undefined> => stat(path, { bigint: true }).catch(() => undefined)

const isSame = (one: BigIntStats, other: BigIntStats | undefined): boolean => one.ino === other?.ino && one.dev === other.dev
