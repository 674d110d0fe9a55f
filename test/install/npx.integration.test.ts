import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
let clone: string

/** A clone in which nothing was installed or built: npm finds no command of ours by way of node_modules, and would fetch what has the name in the registry. */
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'weft-clone-'))
  await cp(join(root, 'package.json'), join(clone, 'package.json'))
  await cp(join(root, 'packages', 'cli', 'bin'), join(clone, 'packages', 'cli', 'bin'), { recursive: true })
  await mkdir(join(clone, 'docs'))
})
afterAll(() => rm(clone, { recursive: true, force: true }))

it.each(['.', 'docs'])('npx weft in a new clone, in %s, is ours, and says what to do', async (folder) => {
  const env = { ...process.env, npm_config_offline: 'true' }
  const asked = run('npx', ['weft', 'up'], { cwd: join(clone, folder), env })
  await expect(asked).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('weft is not built yet; run `npm run build`') as string,
  })
})
