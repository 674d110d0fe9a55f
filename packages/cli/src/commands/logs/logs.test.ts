import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LogsOptions } from './log-reader.ts'
import { logs } from './logs.ts'

describe('weft logs', () => {
  let dataDir: string
  let text: string
  const write = (more: string): void => void (text += more)
  const path = (name: string): string => join(dataDir, 'logs', `${name}.log`)
  const read = (
    provider: string | undefined,
    options: Partial<LogsOptions> = {},
    stopped: () => Promise<unknown> = () => Promise.resolve(),
  ) => logs(provider, { dataDir, ...options }, { write, stopped })

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'weft-logs-'))
    text = ''
    await mkdir(join(dataDir, 'logs'))
    await writeFile(path('acme'), 'one\ntwo\nthree\n')
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('finds the data directory by the kubeconfig in use, wherever it is called from', async () => {
    await writeFile(join(dataDir, 'kubeconfig'), '')
    await mkdir(join(dataDir, 'storage'))
    vi.stubEnv('KUBECONFIG', join(dataDir, 'kubeconfig'))
    await logs('acme', {}, { write, stopped: () => Promise.resolve() })
    expect(text).toBe('one\ntwo\nthree\n')
    vi.stubEnv('KUBECONFIG', join(dataDir, 'copied'))
    await expect(logs('acme', {}, { write, stopped: () => Promise.resolve() })).rejects.toThrow(/copied/)
    vi.unstubAllEnvs()
  })

  test('lists those that there are', async () => {
    await writeFile(path('other'), '')
    await read(undefined)
    expect(text).toMatch(/^PACKAGE +SIZE +LAST LINE\nacme +1 KB +\d+s\nother +0 KB/)
  })

  test.each([
    [undefined, 'one\ntwo\nthree\n'],
    [2, 'two\nthree\n'],
    [9, 'one\ntwo\nthree\n'],
    [0, ''],
  ])('shows the last lines: %s', async (tail, expected) => {
    await read('acme', tail === undefined ? {} : { tail })
    expect(text).toBe(expected)
  })

  test('goes on with what comes, also after the file was begun anew, and cuts no character in two', async () => {
    let stop = (): void => undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const following = read('acme', { follow: true, tail: 1 }, () => stopped)
    await vi.waitUntil(() => text === 'three\n', 60_000)
    const [first, ...rest] = Buffer.from('é\n')
    await appendFile(path('acme'), Buffer.from([first as number]))
    await new Promise((resolve) => setTimeout(resolve, 600))
    await appendFile(path('acme'), Buffer.from(rest))
    await vi.waitUntil(() => text === 'three\né\n', 60_000)
    await appendFile(path('acme'), 'last\n')
    await rename(path('acme'), `${path('acme')}.1`)
    // Begun anew, and found before anything is written to it.
    await writeFile(path('acme'), '')
    await new Promise((resolve) => setTimeout(resolve, 600))
    await appendFile(path('acme'), 'anew\n')
    await vi.waitUntil(() => text === 'three\né\nlast\nanew\n', 60_000)
    stop()
    expect(await following).toBe(0)
  })

  test('says what to do where there is no log, or no data', async () => {
    await expect(read('nobody')).rejects.toThrow(/there is no log of nobody: there are acme/)
    await expect(read('../acme')).rejects.toThrow(/there is no log of/)
    await expect(logs('acme', { dataDir: join(dataDir, 'nowhere') })).rejects.toThrow(/--data-dir names the one of `weft up`/)
  })
})
