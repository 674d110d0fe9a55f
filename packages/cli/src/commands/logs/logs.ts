import { existsSync } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '@weft/api'
import { findKubeconfig } from '../../cluster/index.ts'
import { formatAge, formatTable } from '../../output/index.ts'
import { FUNCTION_PREFIX, LOG_SUFFIX, logFolder, startOfTail } from '../../process-logs/process-logs.ts'
import { CommandFailure } from '../../report.ts'
import { untilSignal } from '../../until-signal.ts'
import type { LogReader, LogsOptions } from './log-reader.ts'

const shown = (name: string): string => (name.startsWith(FUNCTION_PREFIX) ? name.slice(FUNCTION_PREFIX.length) : name)
const POLL_MS = 250
const CHUNK = 64 * 1024

const TERMINAL: LogReader = { write: (text) => void process.stdout.write(text), stopped: untilSignal }

/** Providers that run in processes of their own leave what they print in the data directory; those that are pods of a cluster have it there. See docs/provider-processes.md. */
export async function logs(provider: string | undefined, options: LogsOptions, reader: LogReader = TERMINAL): Promise<number> {
  const dataDir = options.dataDir ?? findKubeconfig(options).dataDir
  if (dataDir === undefined) return (await import('./pod-logs.ts')).podLogs(provider, options, reader)
  if (!existsSync(dataDir)) throw new CommandFailure(`there is no data directory ${dataDir}: --data-dir names the one of \`weft up\``)
  const folder = logFolder(dataDir)
  const names = await namesIn(folder)
  if (provider === undefined) return list(folder, names, reader)
  // A function and a provider may be called the same: the provider's own log is the one without a word in front.
  const name = names.find((each) => each === provider) ?? names.find((each) => each === `${FUNCTION_PREFIX}${provider}`)
  if (name === undefined) {
    const others =
      names.length === 0 ? 'no package of this control plane runs in a process of its own' : `there are ${names.map(shown).join(', ')}`
    throw new CommandFailure(`there is no log of ${provider}: ${others}; providers that come with Weft print where \`weft up\` prints`)
  }
  await show(join(folder, `${name}${LOG_SUFFIX}`), options, reader)
  return 0
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const files = await readdir(folder)
    return files
      .filter((file) => file.endsWith(LOG_SUFFIX))
      .map((file) => file.slice(0, -LOG_SUFFIX.length))
      .sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new CommandFailure(`cannot read ${folder}: ${messageOf(cause)}`, { cause })
  }
}

async function list(folder: string, names: readonly string[], { write }: LogReader): Promise<number> {
  if (names.length === 0) {
    process.stderr.write('No logs found: no package of this control plane runs in a process of its own.\n')
    return 0
  }
  const rows = await Promise.all(
    names.map(async (name) => {
      const { size, mtime } = await stat(join(folder, `${name}${LOG_SUFFIX}`))
      return [shown(name), `${Math.ceil(size / 1024)} KB`, formatAge(mtime.toISOString())]
    }),
  )
  write(formatTable([['PACKAGE', 'SIZE', 'LAST LINE'], ...rows]))
  return 0
}

async function show(path: string, { tail, follow }: LogsOptions, { write, stopped: untilStopped }: LogReader): Promise<void> {
  // A character may be cut in two by the end of what was read.
  const decoder = new StringDecoder('utf8')
  const tell = (bytes: Buffer): void => write(decoder.write(bytes))
  let position = tail === undefined ? 0 : await startOfTail(path, tail)
  // Held open: whatever it is called by then, the rest of it can still be read.
  let file = await open(path)
  try {
    position = await print(file, position, tell)
    if (follow !== true) return
    const stopped = untilStopped()
    let isOver = false
    void stopped.then(() => (isOver = true))
    while (!isOver) {
      await Promise.race([pause(POLL_MS), stopped])
      const next = await begunAnew(path, file)
      position = await print(file, position, tell)
      if (next === undefined) continue
      await file.close()
      file = next
      position = await print(file, 0, tell)
    }
  } finally {
    await file.close()
  }
}

/** A file is put aside when it is full: the one that has taken its name, if one has. */
async function begunAnew(path: string, file: FileHandle): Promise<FileHandle | undefined> {
  const [held, now] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  return now === undefined || now.ino === held.ino ? undefined : open(path).catch(() => undefined)
}

/** Writes the file from there on. Answers where it ended. */
async function print(file: FileHandle, from: number, tell: (bytes: Buffer) => void): Promise<number> {
  const buffer = Buffer.alloc(CHUNK)
  for (let position = from; ;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) return position
    tell(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
