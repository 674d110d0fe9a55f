import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { executableAt, missingInterpreter } from './interpreter.ts'

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'weft-interpreter-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

async function file(name: string, contents: string | Uint8Array): Promise<string> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, contents, { mode: 0o755 })
  return path
}

/** A program in the format of Linux, as far as its headers say how it is started. */
function elf(interpreter?: string): Buffer {
  const [head, loaded, named] = [Buffer.alloc(64), Buffer.alloc(56), Buffer.alloc(56)]
  head.writeUInt32BE(0x7f454c46, 0)
  head.set([2, 1], 4)
  head.writeBigUInt64LE(64n, 32)
  head.writeUInt16LE(56, 54)
  head.writeUInt16LE(interpreter === undefined ? 1 : 2, 56)
  loaded.writeUInt32LE(1, 0)
  named.writeUInt32LE(3, 0)
  const text = Buffer.from(`${interpreter ?? ''}\0`)
  named.writeBigUInt64LE(BigInt(64 + 2 * 56), 8)
  named.writeBigUInt64LE(BigInt(text.length), 32)
  return Buffer.concat([head, loaded, named, text])
}

describe('what a program is started by', () => {
  it.each<[string, string | Uint8Array, object]>([
    ['a static program', elf(), { format: 'elf' }],
    ['a linked program', elf('/lib64/ld.so'), { format: 'elf', interpreter: '/lib64/ld.so' }],
    ['a script', '#! /usr/bin/env node\nrest', { format: 'script', interpreter: '/usr/bin/env' }],
    ['a script without an argument', '#!/bin/sh\n', { format: 'script', interpreter: '/bin/sh' }],
    ['a script with ends of lines from elsewhere', '#!/bin/sh\r\n', { format: 'script', interpreter: '/bin/sh' }],
    ['a script that names nothing', '#!\n', { format: 'other' }],
    ['an empty file', '', { format: 'other' }],
    ['a program that ends within its headers', elf('/lib64/ld.so').subarray(0, 100), { format: 'other' }],
    ['another format', 'MZ and so on', { format: 'other' }],
  ])('%s', async (_what, contents, expected) => {
    expect(await executableAt(await file('program', contents))).toEqual(expected)
  })
})

describe('what is missing to start a program', () => {
  const missing = async (contents: string | Uint8Array): Promise<string | undefined> =>
    missingInterpreter(root, await file('app/run', contents), 'the image')

  it('is nothing, or the loader that it names, wherever the machine has one', async () => {
    expect(await missing(elf())).toBeUndefined()
    expect(await missing(elf('/bin/sh'))).toBe('/bin/sh')
  })

  it('is looked for in the root of the program, through its links', async () => {
    await file('usr/lib/ld.so', elf())
    await symlink('/usr/lib', join(root, 'lib64'))
    expect(await missing(elf('/lib64/ld.so'))).toBeUndefined()
    expect(await missing(elf('/lib64/other.so'))).toBe('/lib64/other.so')
  })

  it('may be what its interpreter needs', async () => {
    await file('usr/bin/python3', elf('/lib64/ld.so'))
    expect(await missing('#!/usr/bin/python3\n')).toBe('/lib64/ld.so')
    await file('loop', '#!/loop\n')
    expect(await missing('#!/loop\n')).toBeUndefined()
  })
})
