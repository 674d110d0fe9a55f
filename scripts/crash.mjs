// Kills control planes under concurrent writers, freezes and supersedes them, damages and restores what they kept, and checks that
// nothing acknowledged is lost. `npm run crash -- --kills 300 --seed 7`
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, seed: { type: 'string', default: String(randomInt(1e6)) } },
})
await build()
process.stdout.write(`${values.kills} kills, seed ${values.seed}\n`)
const tests = ['test/integration/crash.integration.test.ts', 'packages/apiserver/src/storage/lmdb/crash.integration.test.ts']
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'integration', ...tests],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WEFT_CRASH_KILLS: values.kills, WEFT_CRASH_SEED: values.seed },
  },
)
process.exitCode = status ?? 1
