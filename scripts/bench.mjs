// `npm run bench -- SUITE [options]`: sets up what is missing, then runs one suite of bench/.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './setup.mjs'

const [suite = '', ...options] = process.argv.slice(2)
const entry = join('bench', `${suite}.ts`)
if (!/^[a-z]+$/.test(suite) || !existsSync(join(root, entry))) {
  process.stderr.write(
    'usage: npm run bench -- apiserver [--quick | --requests N] [--only NAME[,NAME]] [--no-kubernetes] [--profile FOLDER]\n       npm run bench -- managed|claims|composites|definitions [--quick] [--profile FOLDER]\n       npm run bench -- xrs [--quick] [--no-kubernetes] [--profile FOLDER]\n       npm run bench -- world [--quick | --composites N | --full]\n       npm run bench -- soak [--minutes N]\n       npm run bench -- terraform [--quick] [--profile FOLDER]\n       npm run bench -- cli|console|start|packages [--quick]\n       npm run bench -- against FOLDER [--only NAME[,NAME]] [--size OBJECTS] [--rounds NUMBER]\n',
  )
  process.exit(2)
}
ensureInstalled()
ensureBuilt()
process.exitCode = run(process.execPath, ['--import', 'tsx', entry, ...options])
