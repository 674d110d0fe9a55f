import { open } from 'node:fs/promises'
import { followInside } from './inside.ts'

/** What a file says of how it is run. */
export interface Executable {
  /** `other`: a format that is not looked into. */
  readonly format: 'elf' | 'script' | 'other'
  /** The program that the system starts in its place, as a path of the root that it runs in. */
  readonly interpreter?: string
}

const ELF = 0x7f454c46
const BITS_64 = 2
const LITTLE_ENDIAN = 1
const PROGRAM_HEADER_BYTES = 56
const INTERPRETER = 3
/** As much of a first line as Linux reads, and more than a path has. */
const LONGEST = 4096
/** A script in a script, in a linked program: no more than Linux follows. */
const MOST = 5

export async function executableAt(path: string): Promise<Executable> {
  const file = await open(path)
  try {
    const read = async (from: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0, 64)
    if (head.subarray(0, 2).toString('latin1') === '#!') return scriptOf(await read(2, LONGEST))
    if (head.length < 64 || head.readUInt32BE(0) !== ELF || head[4] !== BITS_64 || head[5] !== LITTLE_ENDIAN) return { format: 'other' }
    const [offset, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)]
    for (let at = 0; at < count; at++) {
      const header = await read(offset + at * size, PROGRAM_HEADER_BYTES)
      if (header.length < PROGRAM_HEADER_BYTES) return { format: 'other' }
      if (header.readUInt32LE(0) !== INTERPRETER) continue
      const length = Math.min(Number(header.readBigUInt64LE(32)), LONGEST)
      const interpreter = (await read(Number(header.readBigUInt64LE(8)), length)).toString().replace(/\0.*$/s, '')
      return interpreter === '' ? { format: 'other' } : { format: 'elf', interpreter }
    }
    return { format: 'elf' }
  } finally {
    await file.close()
  }
}

function scriptOf(line: Buffer): Executable {
  const [interpreter = ''] = (line.toString().split('\n', 1)[0] ?? '').trim().split(/[ \t]/, 1)
  return interpreter.startsWith('/') ? { format: 'script', interpreter } : { format: 'other' }
}

/**
 * The system says of a program whose interpreter is missing that the program itself is: this says which file is. Undefined when all that it is
 * started by is there; libraries are not looked for, since their loader names those itself.
 */
export async function missingInterpreter(root: string, path: string, what: string): Promise<string | undefined> {
  let at = path
  for (let followed = 0; followed < MOST; followed++) {
    const { interpreter } = await executableAt(at)
    if (interpreter === undefined) return undefined
    const found = await followInside(root, interpreter, { what })
    if (found === undefined) return interpreter
    at = found.path
  }
  return undefined
}

/** Why a program cannot be started, and what its author does about it. */
export const withoutInterpreter = (program: string, interpreter: string): string =>
  `${program} needs ${interpreter}, which is not in the image: add that file with what it needs, or build a static program (in Go: CGO_ENABLED=0)`
