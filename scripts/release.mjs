// `npm run release -- --dry-run [--to DIRECTORY]`: makes everything that a release publishes, with a bill of materials and checksums, and publishes nothing.
// Publishing is left to people: `npm publish` of each tarball, and `npm run pack -- image --push` and `-- chart --push`.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBillOfMaterials, writeChecksums } from './release/artefacts.mjs'
import { keepFormat } from './release/keep-format.mjs'
import { ensureInstalled, root, run } from './setup.mjs'

const USAGE = 'npm run release -- --dry-run [--to DIRECTORY]'
const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
function readOptions() {
  const options = { 'dry-run': { type: 'boolean' }, to: { type: 'string', default: join(root, 'dist', 'release') } }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
}

const values = readOptions()
if (values['dry-run'] !== true)
  fail(`add --dry-run: this creates what a release publishes, and publishes nothing; docs/releases.md says what to do next\n${USAGE}`)
ensureInstalled()
const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
if (!changes.includes(`\n## ${version}`)) fail(`CHANGELOG.md does not mention ${version}: add what has changed`)
const kept = await keepFormat(version)
if (kept !== undefined) fail(`what this version stores is now kept in ${relative(process.cwd(), kept)}: commit it, and run this again`)
const target = resolve(values.to, version)
await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
const status = run(process.execPath, [join(root, 'scripts', 'pack.mjs'), '--to', target])
if (status !== 0) process.exit(status)
await writeBillOfMaterials(target)
await writeChecksums(target)
process.stdout.write(`Weft ${version} is in ${relative(process.cwd(), target)}; nothing was published\n`)
