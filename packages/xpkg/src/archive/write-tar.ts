import { pack } from 'tar-stream'

const EPOCH = new Date(0)

/** What an archive holds under a name. */
export type TarEntry =
  | { readonly type: 'file'; readonly name: string; readonly mode: number; readonly bytes: Uint8Array }
  | { readonly type: 'directory'; readonly name: string; readonly mode: number }
  | { readonly type: 'symlink'; readonly name: string; readonly linkname: string }

/** A tar archive whose bytes depend on the names and contents alone, in the given order: no times, no owners. */
export const writeTar = (files: Iterable<readonly [string, Uint8Array]>): Promise<Uint8Array> =>
  writeEntries(Array.from(files, ([name, bytes]) => ({ type: 'file', name, mode: 0o644, bytes })))

/** The same, of anything that a file system holds. */
export async function writeEntries(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): Promise<Uint8Array> {
  const archive = pack()
  const chunks: Uint8Array[] = []
  const collected = (async () => {
    for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  })()
  for await (const entry of entries)
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null): void => (error ? reject(error) : resolve())
      const { type, name } = entry
      const header = { name, mtime: EPOCH, uid: 0, gid: 0, type }
      if (entry.type === 'symlink') archive.entry({ ...header, mode: 0o777, linkname: entry.linkname }, done)
      else if (entry.type === 'directory') archive.entry({ ...header, mode: entry.mode }, done)
      else {
        const { buffer, byteOffset, byteLength } = entry.bytes
        archive.entry({ ...header, mode: entry.mode }, Buffer.from(buffer, byteOffset, byteLength), done)
      }
    })
  archive.finalize()
  await collected
  return Buffer.concat(chunks)
}
