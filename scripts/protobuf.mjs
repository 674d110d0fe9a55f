// `npm run protobuf`: writes packages/*/src/generated from packages/*/proto. What it writes is checked in.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './setup.mjs'

ensureInstalled()
const bin = (name) => join(root, 'node_modules', '.bin', name)
for (const name of readdirSync(join(root, 'packages'))) {
  const proto = join(root, 'packages', name, 'proto')
  if (!existsSync(proto)) continue
  const plugin = {
    local: bin('protoc-gen-es'),
    out: join(root, 'packages', name, 'src', 'generated'),
    // Node runs types that can be erased; an enum cannot.
    opt: ['target=ts', 'import_extension=ts', 'erasable_syntax=true', 'elide_plugin_version=true'],
  }
  const { status } = spawnSync(
    bin('buf'),
    ['generate', proto, '--template', JSON.stringify({ version: 'v2', clean: true, plugins: [plugin] })],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}
