// `npm run release -- --dry-run [--to DIRECTORY]`: makes everything that a release publishes, with a bill of materials and checksums, and publishes nothing.
// Publishing is left to people: `npm publish` of each tarball, and `npm run pack -- image --push` and `-- chart --push`.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBillOfMaterials, writeChecksums } from './release/artefacts.mjs'
import { keepFormat } from './release/keep-format.mjs'
import { ensureInstalled, root, run } from './setup.mjs'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, to: { type: 'string', default: join(root, 'dist', 'release') } },
})
const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (values['dry-run'] !== true)
  fail('say --dry-run: this makes what a release publishes, and publishes nothing; docs/releases.md says how to go on')
ensureInstalled()
const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
if (!changes.includes(`\n## ${version}`)) fail(`CHANGELOG.md says nothing of ${version}`)
const kept = await keepFormat(version)
if (kept !== undefined) fail(`what this version stores is kept in ${relative(process.cwd(), kept)} now: commit it, and begin again`)
const target = resolve(values.to, version)
await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
const status = run(process.execPath, [join(root, 'scripts', 'pack.mjs'), '--to', target])
if (status !== 0) process.exit(status)
await writeBillOfMaterials(target)
await writeChecksums(target)
process.stdout.write(`Weft ${version} is in ${relative(process.cwd(), target)}; nothing was published\n`)
