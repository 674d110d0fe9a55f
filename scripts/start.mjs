// `npm start [-- arguments of weft up]`: sets up what is missing, then runs the control plane.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, root } from './setup.mjs'

ensureInstalled()
ensureBuilt()
// In this process: signals reach the control plane, and nothing waits for a second start of Node.
const { main } = await import(pathToFileURL(join(root, 'packages', 'cli', 'dist', 'weft.js')).href)
process.exitCode = await main(['up', ...process.argv.slice(2)])
