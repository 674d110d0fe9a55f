import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepPrivate } from './private-files.ts'

describe.skipIf(process.platform === 'win32')('keepPrivate', () => {
  let folder: string
  const lines: string[] = []
  beforeEach(async () => {
    lines.length = 0
    folder = join(await mkdtemp(join(tmpdir(), 'weft-private-')), 'data')
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)
  const keep = (): Promise<void> => keepPrivate(folder, (level, message) => lines.push(`${level} ${message}`))

  it('makes a folder that others cannot look into, and says nothing of it', async () => {
    await keep()
    expect(await modeOf(folder)).toBe('700')
    expect(lines).toEqual([])
    await chmod(folder, 0o711)
    await keep()
    expect(lines, 'others may pass through to what a server of theirs keeps').toEqual([])
  })

  it('closes what others could read, and tells', async () => {
    await mkdir(join(folder, 'pki'), { recursive: true, mode: 0o755 })
    await writeFile(join(folder, 'kubeconfig'), '', { mode: 0o644 })
    await keep()
    expect(await modeOf(folder)).toBe('711')
    expect(await modeOf(join(folder, 'pki'))).toBe('700')
    expect(await modeOf(join(folder, 'kubeconfig'))).toBe('600')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^warn .*could be read by other users.*755/)
  })

  it('refuses a folder that anybody can write to', async () => {
    await mkdir(folder)
    await chmod(folder, 0o777)
    await expect(keep()).rejects.toThrow(/can be written to by everybody.*chmod o-w/)
  })
})
