import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareProcessPlace } from './process-place.ts'

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('the user of a package', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-place-'))
    // Somebody else must be able to come here, or they live elsewhere.
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const uidOf = async (plane: string, name: string, revision: string): Promise<number | undefined> =>
    (await prepareProcessPlace(join(folder, plane), name, revision)).user?.uid

  it('is its own in its control plane, found again for its next revision, and not that of another control plane', async () => {
    const one = [await uidOf('one', 'a', 'a-1'), await uidOf('one', 'b', 'b-1'), await uidOf('one', 'a', 'a-2')]
    expect(one[0]).toBeGreaterThanOrEqual(610_000)
    expect(one[1]).toBe((one[0] ?? 0) + 1)
    expect(one[2]).toBe(one[0])
    // Among a few there may be two that share by chance.
    const others = await Promise.all(['two', 'three', 'four', 'five', 'six'].map((plane) => uidOf(plane, 'a', 'a-1')))
    expect(new Set([one[0], ...others]).size).toBeGreaterThan(1)
  })
})
