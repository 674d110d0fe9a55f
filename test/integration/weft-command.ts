import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))

export interface CommandResult {
  readonly code: number | null
  /** Both streams. */
  readonly output: string
}

/** Runs `weft` to its end, as a user would in a shell. */
export async function weft(...args: readonly string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [WEFT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const onData = (data: Buffer): void => void (output += data.toString())
  child.stdout.on('data', onData)
  child.stderr.on('data', onData)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
