import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { carriedEnvironment, harmlessEnvironment, starterProgram } from './starter.ts'

const program = process.platform === 'linux' ? starterProgram() : undefined

describe.runIf(program !== undefined)('what starts the program of an image', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'weft-starter-'))
    writeFileSync(join(directory, 'starter'), program ?? '', { mode: 0o755 })
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const start = (words: readonly string[], env: Readonly<Record<string, string>>) =>
    spawnSync(join(directory, 'starter'), words, { env: { ...env }, encoding: 'utf8' })

  it('gives it its words and its variables, whatever they are called, and none of whoever came before', () => {
    const wanted = {
      PATH: '/bin',
      EMPTY: '',
      'odd.name-%': 'a=b=c',
      LD_LIBRARY_PATH: '/nowhere',
      'BASH_FUNC_read%%': '() { exit 3; }',
      WEFT_0: 'its own',
      LINES: 'one\ntwo',
    }
    const env = { PATH: '/usr/bin', PWD: '/', ...carriedEnvironment(wanted), _: '/bin/sh' }
    const script = 'console.log(JSON.stringify([process.argv.slice(1), process.env]))'
    const { stdout, stderr } = start([process.execPath, '-e', script, 'a word', ''], env)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([['a word', ''], wanted])
  })

  it('starts one without variables', () => {
    expect(start([process.execPath, '-p', 'Object.keys(process.env).length'], { A: 'b' }).stdout).toBe('0\n')
  })

  it('says so where it cannot', () => {
    expect(start(['/no/such/program'], {})).toMatchObject({ status: 126, stderr: 'the program cannot be started\n' })
  })
})

describe('variables of an image', () => {
  it('are carried under names that mean nothing to anybody', () => {
    expect(carriedEnvironment({ LD_PRELOAD: './x.so', A: '' })).toEqual({ WEFT_0: 'LD_PRELOAD=./x.so', WEFT_1: 'A=' })
  })

  it('that a machine heeds are left out where nothing carries them', () => {
    expect(starterProgram('s390x')).toBeUndefined()
    const [kept, heeded] = [
      { PATH: '/bin', LANG: 'C', HOME: '/', OLD: 'x', ENVIRONMENT: 'test', PSQL: 'y' },
      ['LD_PRELOAD', 'LD_AUDIT', 'GLIBC_TUNABLES', 'GCONV_PATH', 'BASH_ENV', 'BASH_FUNC_x%%', 'ENV', 'SHELLOPTS', 'PS4', 'IFS'],
    ]
    expect(harmlessEnvironment({ ...kept, ...Object.fromEntries(heeded.map((name) => [name, 'x'])) })).toEqual(kept)
  })
})
