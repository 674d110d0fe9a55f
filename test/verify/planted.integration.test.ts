// The gates of `npm run verify` stop what they say they stop: a copy of the repository gets one violation of each, and every one is named.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verdictOf } from '../../scripts/verify/verdict.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', '.weft'])

/** Numbers that no statement has; written apart, so that this file cites nothing. */
const NOWHERE = 98
const UNPROVED = 97

interface Planted {
  readonly what: string
  /** The gate's line in the output. */
  readonly gate: string
  readonly file: string
  readonly text: string
  /** Another file that it takes. */
  readonly beside?: { readonly file: string; readonly text: string }
  /** What the gate says of it. */
  readonly told: RegExp
}

const PLANTED: readonly Planted[] = [
  {
    what: 'a value of the wrong type',
    gate: 'types',
    file: 'packages/api/src/planted-type.ts',
    text: `export const planted: number = 'text'\n`,
    told: /planted-type\.ts.*TS2322/,
  },
  {
    what: 'a promise that nobody waits for',
    gate: 'lint',
    file: 'packages/runtime/src/planted-promise.ts',
    text: `export function planted(work: () => Promise<void>): void {\n  work()\n}\n`,
    told: /no-floating-promises[\s\S]{0,200}planted-promise\.ts/,
  },
  {
    what: 'a switch that leaves out a case',
    gate: 'lint',
    file: 'packages/runtime/src/planted-switch.ts',
    text: `export function planted(state: 'on' | 'off'): number {\n  let answer = 0\n  switch (state) {\n    case 'on':\n      answer = 1\n  }\n  return answer\n}\n`,
    told: /switch-exhaustiveness-check[\s\S]{0,200}planted-switch\.ts/,
  },
  {
    what: 'an assertion that nothing checks, where there are none',
    gate: 'lint',
    file: 'packages/controllers/src/selection/planted-assertion.ts',
    text: `export const planted = (value: unknown): number => (value as { size: number }).size\n`,
    told: /no-unsafe-type-assertion[\s\S]{0,200}planted-assertion\.ts/,
  },
  {
    what: 'a file that is not formatted',
    gate: 'format',
    file: 'packages/runtime/src/planted-format.ts',
    text: `export const planted = {a:1 ,\n b:2}\n`,
    told: /planted-format\.ts/,
  },
  {
    what: 'a server that knows a controller',
    gate: 'boundaries',
    file: 'packages/apiserver/src/registry/planted-package.ts',
    text: `export { composedBy } from '@weft/controllers'\n`,
    told: /apiserver-knows-no-controllers: packages\/apiserver\/src\/registry\/planted-package\.ts/,
  },
  {
    what: 'an import into the middle of another package',
    gate: 'boundaries',
    file: 'packages/runtime/src/planted-deep.ts',
    text: `export type { KubeObject } from '../../api/src/meta.ts'\n`,
    told: /no-deep-imports: packages\/runtime\/src\/planted-deep\.ts/,
  },
  {
    what: 'two files that import each other',
    gate: 'boundaries',
    file: 'packages/api/src/planted-circle.ts',
    text: `import { other } from './planted-other.ts'\n\nexport const planted = (): number => other() + 1\n`,
    beside: {
      file: 'packages/api/src/planted-other.ts',
      text: `import { planted } from './planted-circle.ts'\n\nexport const other = (): number => planted() + 1\n`,
    },
    told: /no-cycles: packages\/api\/src\/planted-(circle|other)\.ts/,
  },
  {
    what: 'storage that knows a schema',
    gate: 'boundaries',
    file: 'packages/apiserver/src/storage/planted-schema.ts',
    text: `export type { CrdOptions } from '@weft/schema'\n`,
    told: /storage-knows-no-kinds: packages\/apiserver\/src\/storage\/planted-schema\.ts/,
  },
  {
    what: 'a pure engine that reads files',
    gate: 'boundaries',
    file: 'packages/composition/src/planted-pure.ts',
    text: `export { readFileSync } from 'node:fs'\n`,
    told: /composition-is-pure: packages\/composition\/src\/planted-pure\.ts/,
  },
  {
    what: 'storage that asks the registry',
    gate: 'layers',
    file: 'packages/apiserver/src/storage/planted-upward.ts',
    text: `export type { Catalog } from '../registry/index.ts'\n`,
    told: /planted-upward\.ts imports .*registry stands above storage/,
  },
  {
    what: 'a definition that knows what it defines',
    gate: 'layers',
    file: 'packages/controllers/src/definition/planted-definition.ts',
    text: `export { composedBy } from '../composite/record.ts'\n`,
    told: /planted-definition\.ts imports .*composite stands above definition/,
  },
  {
    what: 'a part of the console that knows a page',
    gate: 'layers',
    file: 'packages/console/src/app/parts/planted-view.tsx',
    text: `export { Overview } from '../pages/overview/overview.tsx'\n`,
    told: /planted-view\.tsx imports .*pages stands above parts/,
  },
  {
    what: 'a folder that has no place',
    gate: 'layers',
    file: 'packages/apiserver/src/planted/nothing.ts',
    text: `export const planted = 1\n`,
    told: /packages\/apiserver\/src\/planted: give this folder its place/,
  },
  {
    what: 'a module that nothing uses',
    gate: 'dead code',
    file: 'packages/schema/src/planted-file.ts',
    text: `export const planted = 1\n`,
    told: /planted-file\.ts/,
  },
  {
    what: 'an export that nothing imports',
    gate: 'dead code',
    file: 'packages/runtime/src/planted-export.test.ts',
    text: `import { expect, it } from 'vitest'\nimport { used } from './planted-used.ts'\n\nit('uses one of two', () => expect(used).toBe(1))\n`,
    beside: { file: 'packages/runtime/src/planted-used.ts', text: 'export const used = 1\n\nexport const unusedPlanted = 2\n' },
    told: /unusedPlanted\s+packages\/runtime\/src\/planted-used\.ts/,
  },
  {
    what: 'a citation of a statement that is not written',
    gate: 'statements',
    file: 'packages/runtime/src/planted-statement.test.ts',
    text: `import { expect, it } from 'vitest'\n\nit('S${NOWHERE}: is nowhere to be read', () => expect(1).toBe(1))\n`,
    told: new RegExp(`S${NOWHERE} is cited`),
  },
  {
    what: 'a statement that no test proves',
    gate: 'statements',
    file: 'docs/behaviour/planted.md',
    text: `# Planted\n\n- **S${UNPROVED}** Nobody proves this.\n`,
    told: new RegExp(`S${UNPROVED} \\(docs/behaviour/planted\\.md\\) is cited by no test`),
  },
  {
    what: 'a page that leads nowhere',
    gate: 'manual',
    file: 'docs/planted-page.md',
    text: `# Planted\n\nSee [the page that is not there](nowhere.md).\n`,
    told: /docs\/planted-page\.md links to docs\/nowhere\.md, which does not exist/,
  },
  {
    what: 'a page that nobody finds',
    gate: 'manual',
    file: 'docs/planted-orphan.md',
    text: `# Planted\n`,
    told: /docs\/planted-orphan\.md is not in docs\/README\.md/,
  },
]

let copy: string
let output: string

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'weft-planted-'))
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
  linkModules(ROOT, copy)
  for (const folder of ['packages', 'providers']) {
    for (const name of readdirSync(join(ROOT, folder))) linkModules(join(ROOT, folder, name), join(copy, folder, name))
  }
  for (const { file, text } of PLANTED.flatMap((each) => [each, ...(each.beside === undefined ? [] : [each.beside])])) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  output = await run(process.execPath, ['scripts/verify.mjs'], copy)
}, 900_000)

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('npm run verify', () => {
  it.each(PLANTED)('stops $what', ({ gate, told }) => {
    expect(output).toMatch(new RegExp(`^FAIL ${gate}`, 'm'))
    expect(output).toMatch(told)
  })
})

describe('a gate', () => {
  const gate = { proof: /on (\d+) files/, least: 100 }

  it.each([
    { reason: 'passes when it looked at enough', status: 0, output: 'no faults on 100 files', good: true },
    { reason: 'fails when it looked at nothing', status: 0, output: 'no faults on 0 files', good: false },
    { reason: 'fails when it looked at little', status: 0, output: 'no faults on 99 files', good: false },
    { reason: 'fails when it does not say what it looked at', status: 0, output: 'fine', good: false },
    { reason: 'fails when it found a fault', status: 1, output: 'a fault on 100 files', good: false },
    { reason: 'fails when it was killed', status: null, output: 'on 100 files', good: false },
  ])('$reason', ({ status, output, good }) => expect(verdictOf({ status, output }, gate).good).toBe(good))
})

/** The packages of the repository lead into the copy, all others to where they are installed. */
function linkModules(from: string, to: string): void {
  const modules = join(from, 'node_modules')
  let names: string[]
  try {
    names = readdirSync(modules)
  } catch {
    return
  }
  mkdirSync(join(to, 'node_modules'), { recursive: true })
  for (const name of names) {
    if (name !== '@weft') symlinkSync(join(modules, name), join(to, 'node_modules', name))
  }
  if (!names.includes('@weft')) return
  mkdirSync(join(to, 'node_modules/@weft'))
  for (const name of readdirSync(join(modules, '@weft'))) {
    symlinkSync(readlinkSync(join(modules, '@weft', name)), join(to, 'node_modules/@weft', name))
  }
}

function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}
