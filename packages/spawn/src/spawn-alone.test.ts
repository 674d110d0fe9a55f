import { spawn } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Node closes those that are low when it starts, as far as they follow on one another. */
const FAR = 200

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-spawn-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What a program has open that is started by a process which was itself left a file. */
async function heldBy(how: 'spawn' | 'spawnAlone'): Promise<string> {
  const file = await open(join(folder, 'database'), 'w+')
  try {
    const fixture = fileURLToPath(new URL('owner.fixture.ts', import.meta.url))
    const nothing = Array.from({ length: FAR - 3 }, () => 'ignore' as const)
    const owner = spawn(process.execPath, ['--import', 'tsx', fixture, how], { stdio: ['ignore', 'pipe', 'inherit', ...nothing, file.fd] })
    if (owner.stdout === null) throw new Error('it says nothing')
    return await text(owner.stdout)
  } finally {
    await file.close()
  }
}

describe.runIf(process.platform === 'linux')('a program', () => {
  it('that is started alone has nothing of what its owner holds open', async () => {
    const held = await heldBy('spawnAlone')
    expect(held).not.toContain(folder)
    expect(held).toContain(`${FAR} -> /dev/null`)
  })

  it('has the pipes that it is given', async () => {
    expect(await heldBy('spawnAlone')).toContain('told')
  })

  it('that is started otherwise has the file, so the look finds it', async () => {
    expect(await heldBy('spawn')).toContain(join(folder, 'database'))
  })
})
