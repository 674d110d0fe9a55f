import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processIdentity } from '@weft/program'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeAbandoned } from './process-directory.ts'

/** Long gone: no process of this number started then. */
const GONE = { pid: 1, startedAt: 'never' }

let place: string
const children: ChildProcess[] = []
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'weft-place-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(place, { recursive: true, force: true })
})

function program(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  children.push(child)
  return child
}

const abandoned = async ({ pid = 0 }: ChildProcess): Promise<string> => JSON.stringify({ owner: GONE, program: await processIdentity(pid) })

async function directory(path: string, note: string): Promise<string> {
  await mkdir(path)
  await writeFile(join(path, 'owner'), note)
  return path
}

describe.skipIf(process.platform === 'win32')('what a control plane that was killed left', () => {
  it('T19: is ended and removed', async () => {
    const left = program()
    await directory(join(place, 'weft-tf-a'), await abandoned(left))
    const ended = once(left, 'exit')
    expect(await removeAbandoned(place)).toBe(1)
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await readdir(place)).toEqual([])
  })

  it('is passed over where the note is none, and the others are still found', async () => {
    const notes = ['', 'garbage', 'null', '[]', '{}', '{"owner":1,"program":2}', '{"owner":{"pid":1},"program":{"pid":1}}']
    const zero = JSON.stringify({ owner: GONE, program: { pid: 0, startedAt: 'never' } })
    for (const [i, note] of [...notes, zero].entries()) await directory(join(place, `weft-tf-${i}`), note)
    const left = program()
    await directory(join(place, 'weft-tf-z'), await abandoned(left))
    const ended = once(left, 'exit')
    expect(await removeAbandoned(place)).toBe(1)
    await ended
    expect(await readdir(place)).toHaveLength(notes.length + 1)
  })

  const others = [
    {
      reason: 'a link to somewhere else',
      make: async (note: string) => symlink(await directory(join(place, 'elsewhere'), note), join(place, 'weft-tf-a')),
    },
    // Only root can give a directory away.
    ...(process.getuid?.() === 0
      ? [
          {
            reason: "another user's directory",
            make: async (note: string) => chown(await directory(join(place, 'weft-tf-a'), note), 65_534, 65_534),
          },
        ]
      : []),
  ]
  it.each(others)('is not what stands in $reason', async ({ make }) => {
    const victim = program()
    await make(await abandoned(victim))
    expect(await removeAbandoned(place)).toBe(0)
    expect(await readdir(place)).toContain('weft-tf-a')
    expect(await processIdentity(victim.pid ?? 0), 'it lives').not.toMatchObject({ startedAt: '' })
  })
})
