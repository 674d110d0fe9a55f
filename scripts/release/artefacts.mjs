// What goes with the things that people install: what is inside of them, and how to tell that they are whole.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { root } from '../setup.mjs'

const run = promisify(execFile)
const SUMS = 'SHA256SUMS'

/** A list of every package inside, for auditors: CycloneDX, as npm writes it. */
export async function writeBillOfMaterials(folder) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only']
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 256 * 1024 ** 2 })
  await writeFile(join(folder, 'weft.cdx.json'), stdout)
}

/** Of every file below the folder, in the format of `sha256sum --check`. */
export async function writeChecksums(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== SUMS).map((entry) => join(entry.parentPath, entry.name))
  const lines = []
  for (const file of files.toSorted()) lines.push(`${await checksumOf(file)}  ${relative(folder, file).split(sep).join('/')}\n`)
  await writeFile(join(folder, SUMS), lines.join(''))
}

async function checksumOf(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
