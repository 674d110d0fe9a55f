import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Cost, Measured } from './measured.ts'

const SOURCE = 'weft.dev/test/weftframework'

/** `tofu apply` and `tofu destroy` of so many small things, ten at a time, as OpenTofu does unless told. */
export function withTofu(tofu: string, program: string, count: number): Measured {
  const [work, directory] = ['work', 'things'].map((name) => mkdtempSync(join(tmpdir(), `weft-bench-tofu-${name}-`))) as [string, string]
  try {
    writeFileSync(join(work, 'tofurc'), `provider_installation {\n  dev_overrides { "${SOURCE}" = "${dirname(program)}" }\n}\n`)
    const things = Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, { name: `t${at}` }]))
    const configuration = {
      terraform: { required_providers: { weftframework: { source: SOURCE } } },
      provider: { weftframework: { directory } },
      resource: { weftframework_plain: things },
    }
    writeFileSync(join(work, 'main.tf.json'), JSON.stringify(configuration))
    return { create: timed(tofu, 'apply', work), destroy: timed(tofu, 'destroy', work) }
  } finally {
    for (const path of [work, directory]) rmSync(path, { recursive: true, force: true })
  }
}

/** The shell counts the processor time of all that it waited for, the provider among them. */
function timed(tofu: string, command: 'apply' | 'destroy', work: string): Cost {
  const env = { PATH: process.env['PATH'], HOME: work, TF_CLI_CONFIG_FILE: join(work, 'tofurc'), TIMEFORMAT: '%R %U %S' }
  const script = 'time "$0" "$1" -auto-approve -no-color > out 2> err'
  const told = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`, tofu, command], { cwd: work, env, encoding: 'utf8' })
  const [seconds = 0, user = 0, system = 0] = told.trim().split(/\s+/).map(Number)
  return { seconds, cpuSeconds: user + system }
}
