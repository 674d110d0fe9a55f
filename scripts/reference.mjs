// `npm run reference`: writes docs/reference/cli.md from the commands of the bundle, which is built first.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './setup.mjs'

ensureInstalled()
ensureBuilt()
const { formatReference } = await import(join(root, 'packages', 'cli', 'dist', 'weft.js'))
await mkdir(join(root, 'docs', 'reference'), { recursive: true })
await writeFile(join(root, 'docs', 'reference', 'cli.md'), await formatReference())
