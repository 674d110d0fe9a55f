import { statfsSync } from 'node:fs'

/** With less, the next writes fail: traffic should go elsewhere, and somebody should look. */
const MIN_FREE_BYTES = 32 * 1024 * 1024

interface DiskCheck {
  readonly name: string
  check(): string | undefined
  readonly endpoints: readonly ['readyz']
}

/** For `/readyz`: is there room for what is written next? Restarting makes none, so `/livez` does not ask. */
export const diskCheck = (directory: string, statfs: (path: string) => { bavail: number; bsize: number } = statfsSync): DiskCheck => ({
  name: 'disk',
  endpoints: ['readyz'],
  check() {
    const { bavail, bsize } = statfs(directory)
    const free = bavail * bsize
    return free >= MIN_FREE_BYTES
      ? undefined
      : `only ${Math.floor(free / 1024 / 1024)} MB are free for ${directory}: make room, or writes will fail`
  },
})
