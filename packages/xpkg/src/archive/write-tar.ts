import { pack } from 'tar-stream'

const EPOCH = new Date(0)

/** A tar archive whose bytes depend on the names and contents alone, in the given order: no times, no owners. */
export async function writeTar(files: Iterable<readonly [string, Uint8Array]>): Promise<Uint8Array> {
  const archive = pack()
  const chunks: Uint8Array[] = []
  const collected = (async () => {
    for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  })()
  for (const [name, bytes] of files)
    await new Promise<void>((resolve, reject) => {
      archive.entry(
        { name, mode: 0o644, mtime: EPOCH, uid: 0, gid: 0, type: 'file' },
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        (error) => (error ? reject(error) : resolve()),
      )
    })
  archive.finalize()
  await collected
  return Buffer.concat(chunks)
}
