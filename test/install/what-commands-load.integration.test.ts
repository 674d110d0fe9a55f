// A command should cost what it does. What it loads is a matter of the bundle, and one careless import of an index is enough to load everything.
import { build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandBundle } from '../../scripts/build.mjs'
import { QUICK_COMMANDS, quickBundle } from '../../scripts/build/quick-commands.mjs'

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
  it.each(QUICK_COMMANDS)('%s: one file, in which nothing is that it rarely needs', async (command) => {
    const { metafile } = await build({ ...quickBundle(commandBundle, command), metafile: true, write: false })
    const [output, ...others] = Object.values(metafile.outputs)
    expect(others).toEqual([])
    expect(Object.keys(output?.inputs ?? {})).toContain(`packages/cli/src/commands/${command}.ts`)
    const own = (output?.imports ?? []).filter(({ path }) => path.startsWith('.'))
    // Where they lie when they are wanted after all.
    expect(own.length).toBeGreaterThan(0)
    for (const { path, kind } of own) {
      expect(kind).toBe('dynamic-import')
      expect(Object.keys(outputs)).toContain(`packages/cli/dist/${path.slice(2)}`)
    }
    expect(Object.keys(output?.inputs ?? {}).filter((file) => file.startsWith('node_modules/yaml/'))).toEqual([])
  })

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
