import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PackageError } from '@weft/xpkg'
import type { Entry, ZipFile } from 'yauzl'

/** The largest provider known unpacks to less than a gigabyte. */
const UNPACKED_BYTES = 4 * 2 ** 30
const MOST_FILES = 10_000

/** Unpacks a zip into a folder that is there and empty. Names that lead out of it, and links, are refused. */
export async function unpackZip(path: string, folder: string, what: string): Promise<void> {
  const { default: yauzl } = await import('yauzl')
  const refuse = (why: string, cause?: unknown): PackageError =>
    new PackageError('Malformed', `${what}: its archive ${why}; it is not used`, { cause })
  const zip = await new Promise<ZipFile>((done, fail) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, opened) =>
      error === null ? done(opened) : fail(refuse('is not a readable zip', error)),
    ),
  )
  try {
    if (zip.entryCount > MOST_FILES) throw refuse(`contains more than ${MOST_FILES} files`)
    let left = UNPACKED_BYTES
    for await (const entry of entriesOf(zip, refuse)) {
      const target = resolve(folder, entry.fileName)
      if (target !== folder && !target.startsWith(folder + sep)) throw refuse('contains a file that would be written outside of its folder')
      if (isLink(entry)) throw refuse('contains a link')
      if (entry.fileName.endsWith('/')) {
        await mkdir(target, { recursive: true })
        continue
      }
      // The size that an entry states is checked while it is read: yauzl refuses one that holds more.
      left -= entry.uncompressedSize
      if (left < 0) throw new PackageError('TooLarge', `${what}: its archive contains more than ${UNPACKED_BYTES} bytes; it is refused`)
      await mkdir(dirname(target), { recursive: true })
      await pipeline(await streamOf(zip, entry, refuse), createWriteStream(target, { flags: 'wx', mode: 0o600 })).catch(
        (error: unknown) => {
          throw error instanceof PackageError ? error : refuse('cannot be unpacked', error)
        },
      )
    }
  } finally {
    zip.close()
  }
}

type Refuse = (why: string, cause?: unknown) => PackageError

async function* entriesOf(zip: ZipFile, refuse: Refuse): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((done, fail) => {
      const settle = (act: () => void) => (): void => {
        zip.removeAllListeners()
        act()
      }
      zip.once('entry', (found: Entry) => settle(() => done(found))())
      zip.once(
        'end',
        settle(() => done(undefined)),
      )
      zip.once('error', (error: unknown) => settle(() => fail(refuse('is damaged', error)))())
      zip.readEntry()
    })
    if (entry === undefined) return
    yield entry
  }
}

const streamOf = (zip: ZipFile, entry: Entry, refuse: Refuse): Promise<Readable> =>
  new Promise((done, fail) =>
    zip.openReadStream(entry, (error, stream) => (error === null ? done(stream) : fail(refuse('is damaged', error)))),
  )

const FILE_TYPE = 0o170000
const LINK = 0o120000
const isLink = ({ externalFileAttributes }: Entry): boolean => ((externalFileAttributes >>> 16) & FILE_TYPE) === LINK

/** The program in a folder, which may then be run: `terraform-provider-<type>`, with a version or an ending behind it. */
export async function findProgram(folder: string, type: string, what: string): Promise<string> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
  const name = `terraform-provider-${type}`
  const found = names.toSorted().find((each) => each === name || each.startsWith(`${name}_`) || each.startsWith(`${name}.`))
  if (found === undefined)
    throw new PackageError(
      'Malformed',
      `${what} contains no program named ${name}${names.length === 0 ? '' : `, only ${names.slice(0, 5).join(', ')}`}`,
    )
  await chmod(join(folder, found), 0o700)
  return found
}
