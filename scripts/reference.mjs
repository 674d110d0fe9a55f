// Writes docs/reference/cli.md from the commands of the bundle (`npm run build` makes it). `npm run reference`
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { formatReference } = await import(join(root, 'packages', 'cli', 'dist', 'weft.js'))
await mkdir(join(root, 'docs', 'reference'), { recursive: true })
await writeFile(join(root, 'docs', 'reference', 'cli.md'), await formatReference())
