import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Plane } from '../plane/plane.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))
/** Runs a command, and tells on a last line how much CPU it took. */
const TIMED = '"$@"; code=$?; times >&2; exit $code'

export interface Taken {
  readonly ms: number
  /** Of the command itself. What else runs on the machine makes it wait, and does not count. */
  readonly cpuMs: number
  /** Of the control plane meanwhile. */
  readonly planeCpuMs: number
}

/** How long a `weft` takes, as a person sees it, and what it costs on both sides. */
export async function timed(plane: Plane, args: readonly string[]): Promise<Taken> {
  const [begun, cpu] = [performance.now(), plane.cpuSeconds()]
  const env = { ...process.env, KUBECONFIG: plane.process.kubeconfig }
  const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
    const child = execFile('bash', ['-c', TIMED, 'bash', process.execPath, WEFT, ...args], { env, maxBuffer: 1e9 }, (_error, _out, text) =>
      resolve({ code: child.exitCode ?? -1, stderr: text }),
    )
  })
  const ms = performance.now() - begun
  // A difference is 1.
  if (code !== (args[0] === 'diff' ? 1 : 0)) throw new Error(`weft ${args.join(' ')} ended with ${code}:\n${stderr}`)
  const cpuMs = [...(stderr.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1_000)
    .reduce((sum, each) => sum + each, 0)
  return { ms, cpuMs, planeCpuMs: (plane.cpuSeconds() - cpu) * 1_000 }
}
