import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compiledCode } from './compiled-code.ts'
import { quickMain } from './quick-main.ts'

let dist = ''
let cache = ''
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'weft-quick-'))
  cache = join(dist, 'cache', 'code')
})
afterEach(() => rm(dist, { recursive: true, force: true }))

/** As the build wraps a command: `body` has `require` and `__load`. */
const script = (body: string): Promise<void> =>
  writeFile(join(dist, 'quick-get.cjs'), `(function (require, __load) { "use strict"; return { main: async (argv) => { ${body} } } })`)
const kept = (): Promise<string[]> => readdir(cache).catch(() => [])
/** What quickMain finds, with the code it may use. */
const run = async (...argv: string[]): Promise<number | undefined> => quickMain(dist, 'get', cache)?.(argv)

describe('a quick command', () => {
  it('is not there for other words, whatever they are', async () => {
    await script('return 0')
    for (const word of [undefined, '', 'up', '../get', 'get.cjs']) expect(quickMain(dist, word, cache)).toBeUndefined()
  })

  it('runs with its words, and has modules and the files beside it where it wants them', async () => {
    await writeFile(join(dist, 'later.mjs'), 'export const answer = 40')
    await script(`return require('node:path').sep.length + (await __load('./later.mjs')).answer + argv.length`)
    expect(await run('get')).toBe(42)
  })

  it('keeps its code for the next time, for its user alone, and uses that', async () => {
    await script('return 0')
    await run('get')
    const [name = ''] = await kept()
    expect(name).toContain(process.version)
    expect((await stat(join(cache, name))).mode & 0o077).toBe(0)
    const first = await stat(join(cache, name))
    expect(await run('get')).toBe(0)
    expect((await stat(join(cache, name))).mtimeMs).toBe(first.mtimeMs)
  })

  it('keeps nothing of a command that failed: it compiled only half of itself', async () => {
    await script('return 1')
    expect(await run('get')).toBe(1)
    expect(await kept()).toEqual([])
  })

  it('of another text of the same length is compiled, and takes the place of the old one', async () => {
    await script(`return argv.length - 1`)
    await run('get')
    const before = await kept()
    await script(`return argv.length - 2`)
    expect(await run('get', 'pods')).toBe(0)
    const after = await kept()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  })

  it('runs all the same where the code is damaged, and keeps it anew', async () => {
    await script('return 0')
    await run('get')
    const [name = ''] = await kept()
    const whole = await readFile(join(cache, name))
    const flipped = Buffer.from(whole)
    flipped[whole.length - 10] = 255 - (whole[whole.length - 10] ?? 0)
    for (const damaged of [Buffer.alloc(0), Buffer.from('nonsense'), whole.subarray(0, -10), flipped]) {
      await writeFile(join(cache, name), damaged)
      expect(await run('get')).toBe(0)
      expect((await readFile(join(cache, name))).length).toBe(whole.length)
    }
  })

  it('neither uses nor keeps code in a folder that others can write to', async () => {
    await mkdir(cache, { recursive: true })
    await chmod(cache, 0o777)
    await script('return 0')
    expect(await run('get')).toBe(0)
    expect(await kept()).toEqual([])
    const code = compiledCode('quick-get', 'text', cache)
    await chmod(cache, 0o700)
    code.keep(() => Buffer.from('code'))
    expect(code.recall()?.toString()).toBe('code')
    await chmod(cache, 0o770)
    expect(code.recall()).toBeUndefined()
  })

  it('runs all the same where nothing can be kept', async () => {
    await writeFile(join(dist, 'cache'), 'a file')
    await script('return 0')
    expect(await run('get')).toBe(0)
  })
})
