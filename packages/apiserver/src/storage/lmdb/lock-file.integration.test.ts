import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LOCK_FILE } from './lock-file.ts'

const SCRIPT = `
  import { LockFile } from ${JSON.stringify(new URL('lock-file.ts', import.meta.url).href)}
  import { writeSync } from 'node:fs'
  let result = 'acquired'
  try { LockFile.acquire(process.argv[1]) } catch (error) { result = error.code }
  writeSync(1, result)
  process.stdin.resume().on('end', () => process.exit())`

describe('processes that start at once', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-lock-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('do not share a data directory whose owner died', async () => {
    for (let round = 0; round < 3; round++) {
      writeFileSync(join(directory, LOCK_FILE), JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '']).pid }))
      const contenders = Array.from({ length: 4 }, () =>
        spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT, directory], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      )
      // All stay alive until all have answered.
      const answers = await Promise.all(contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])))
      expect(answers.toSorted()).toEqual(['Locked', 'Locked', 'Locked', 'acquired'])
      await Promise.all(contenders.map((child) => (child.stdin.end(), once(child, 'exit'))))
    }
  })
})
