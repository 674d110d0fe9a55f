import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** Packages that run in processes of their own leave what they print in the data directory; see docs/provider-processes.md. */
export const logFolder = (dataDir: string): string => join(dataDir, 'logs')

export const LOG_SUFFIX = '.log'
/** In front of the names of functions' logs: a function and a provider may be called the same. */
export const FUNCTION_PREFIX = 'function_'

/** Where the last lines begin. A log is a few megabytes at most. */
export async function startOfTail(path: string, lines: number): Promise<number> {
  const file = await open(path)
  try {
    const bytes = await file.readFile()
    let at = bytes.at(-1) === 0x0a ? bytes.length - 1 : bytes.length
    for (let left = lines; left > 0; left--) {
      at = bytes.lastIndexOf(0x0a, at - 1)
      if (at < 0) return 0
    }
    return lines === 0 ? bytes.length : at + 1
  } finally {
    await file.close()
  }
}

/** The last of it, in whole lines. Undefined where there is no such log. */
export async function endOfLog(dataDir: string, kind: string, name: string, most: number): Promise<string | undefined> {
  // A name of a package has no slash: what does is the path of something else.
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(name)) return undefined
  const path = join(logFolder(dataDir), `${kind === 'Function' ? FUNCTION_PREFIX : ''}${name}${LOG_SUFFIX}`)
  const file = await open(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - most)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    const text = buffer.toString('utf8', 0, bytesRead)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}
