// A command should cost what it does. What it loads is a matter of the bundle, and one careless import of an index is enough to load everything.
import { build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandBundle } from '../../scripts/build.mjs'

let outputs: Metafile['outputs']

beforeAll(async () => {
  const { metafile } = await build({ ...commandBundle, metafile: true, write: false })
  ;({ outputs } = metafile)
})

/** Every source file that is loaded with this one, before anything of it runs. */
function loadedWith(source: string): Set<string> {
  const start = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source)
  const seen = new Set<string>()
  const files = new Set<string>()
  for (const pending = start === undefined ? [] : [start]; pending.length > 0;) {
    const name = pending.pop() as string
    if (seen.has(name)) continue
    seen.add(name)
    const { inputs = {}, imports = [] } = outputs[name] ?? {}
    for (const file of Object.keys(inputs)) files.add(file)
    for (const { path, kind, external } of imports) if (kind === 'import-statement' && external !== true) pending.push(path)
  }
  return files
}

describe('what a command loads', () => {
  it.each(['get/get.ts', 'delete/delete.ts', 'describe/describe.ts', 'wait/wait.ts'])(
    '%s: neither compilers nor a second HTTP client',
    (command) => {
      const files = [...loadedWith(`packages/cli/src/commands/${command}`)]
      expect(files).toContain('packages/client/src/http/sender.ts')
      expect(
        files.filter((file) => /^(node_modules\/(undici|re2js|marked)|packages\/(cel|apiserver|controllers|console))\//.test(file)),
      ).toEqual([])
    },
  )

  it('rendering functions that are built in: no schemas, no protocol, no controllers of others', () => {
    const files = [...loadedWith('packages/cli/src/commands/render/pipeline.ts')]
    expect(files).toContain('packages/functions/src/builtin/patch-and-transform/patch-and-transform.ts')
    expect(files.filter((file) => /^(node_modules\/@bufbuild|packages\/(cel|apiserver|controllers\/src\/claim))\//.test(file))).toEqual([])
  })

  it('the help of all commands loads none of them', () => {
    const files = [...loadedWith('packages/cli/src/index.ts')]
    expect(files).toContain('packages/cli/src/commands.ts')
    expect(files.filter((file) => /^packages\/(?!cli|api)/.test(file))).toEqual([])
  })
})
