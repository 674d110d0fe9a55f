import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { weft } from './weft-command.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const example = join(root, 'examples/typescript-composition')

/** A project outside the repository: the package that is built for such, and the compiler at its strictest. */
let project: string
const path = (name: string): string => join(project, name)

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022'],
    module: 'nodenext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    noEmit: true,
  },
}

/** What the compiler says of a file, by line. */
async function typeErrors(name: string): Promise<ReadonlyMap<number, string>> {
  await writeFile(path('tsconfig.json'), JSON.stringify({ ...TSCONFIG, files: [name] }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--pretty', 'false'], { encoding: 'utf8' })
  const errors = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (.*(?:\n {2}.*)*)/gm)]
  for (const [line, file] of errors) expect(file?.endsWith(name), line).toBe(true)
  const byLine = new Map<number, string>()
  for (const [, , line, message = ''] of errors) byLine.set(Number(line), `${byLine.get(Number(line)) ?? ''}${message}\n`)
  return byLine
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'weft-project-'))
  await mkdir(path('node_modules/@weft'), { recursive: true })
  await symlink(join(root, 'packages/cli/dist/authoring'), path('node_modules/@weft/composition'))
  await cp(example, project, { recursive: true })
  await writeFile(path('package.json'), '{"type": "module"}')
})

afterAll(() => rm(project, { recursive: true, force: true }))

const KINDS = ['PostgreSQLInstance', 'PostgreSQLServer', 'Role', 'Database']

describe('weft types', () => {
  it('C9, C16, M13: makes the types that are in the example, of definitions and of the kinds of a provider', async () => {
    const { code, output } = await weft(
      'types',
      '-f',
      path('definitions.yaml'),
      '--provider',
      'postgresql',
      '--kind',
      ...KINDS,
      '-o',
      path('again.ts'),
    )
    expect(output).toMatch(/wrote types of 4 kinds/)
    expect(code).toBe(0)
    expect(await readFile(path('again.ts'), 'utf8')).toBe(await readFile(join(example, 'types.ts'), 'utf8'))
  })

  it('C27: makes the requirement of a kind that is published', async () => {
    const { output } = await weft('types', '-f', join(root, 'examples/wordpress/definitions.yaml'))
    expect(output).toContain('export interface PostgreSQLInstanceRequirement {')
    expect(output).toContain('export interface Wordpress {')
    expect(output).toContain('Kind<Wordpress, never>')
  })

  it('makes types of every kind of every bundled provider, which the compiler takes', async () => {
    const { code, output } = await weft('types', '--provider', 'nop', 'postgresql', 'gcp', 'azure', 'aws', '-o', path('all.ts'))
    expect(code, output).toBe(0)
    expect(await typeErrors('all.ts')).toEqual(new Map())
    expect((await readFile(path('all.ts'), 'utf8')).match(/export interface/g)?.length).toBeGreaterThan(20)
  })

  it.each([
    { reason: 'no such file', args: ['-f', 'nowhere.yaml'], message: /cannot read nowhere\.yaml/ },
    { reason: 'no such provider', args: ['--provider', 'nothing'], message: /no bundled provider "nothing"/ },
    { reason: 'no such kind', args: ['--provider', 'nop', '--kind', 'Nopp'], message: /there is no kind Nopp; there is .*NopResource/ },
    { reason: 'C8: a definition with another name', file: 'name', message: /metadata\.name.*must be things\.example\.org/ },
    { reason: 'a definition without a kind', file: 'incomplete', message: /spec\.crdSpecTemplate needs group, version, names\.kind/ },
    { reason: 'C26: a publication without its definition', file: 'publication', message: /its InfrastructureDefinition is missing/ },
    { reason: 'nothing that defines a kind', file: 'nothing', message: /no kinds are defined there/ },
  ])('refuses $reason in one line, and writes nothing', async ({ args, file, message }) => {
    if (file !== undefined) await writeFile(path('bad.yaml'), BAD[file] ?? '')
    const { code, output } = await weft('types', ...(args ?? ['-f', path('bad.yaml')]), '-o', path('never.ts'))
    expect(output).toMatch(message)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
    expect(await readdir(project)).not.toContain('never.ts')
  })
})

const definition = (name: string, template: string): string =>
  `apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: InfrastructureDefinition\nmetadata: {name: ${name}}\nspec: {crdSpecTemplate: ${template}}\n`
const BAD: Readonly<Record<string, string>> = {
  name: definition('thing.example.org', '{group: example.org, version: v1, names: {kind: Thing, plural: things}}'),
  incomplete: definition('things.example.org', '{group: example.org, version: v1}'),
  publication:
    'apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: InfrastructurePublication\nmetadata: {name: a.b}\nspec: {infrastructureDefinitionReference: {name: a.b}}\n',
  nothing: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
}

/** Each line is wrong in one way; the compiler says so on that line. */
const WRONG: readonly {
  readonly reason: string
  readonly patch?: string
  readonly base?: string
  readonly details?: string
  readonly says: RegExp
}[] = [
  {
    reason: 'a path that the composite does not have',
    patch: 'from(instance.spec.sizes).to(server.metadata.name)',
    says: /'sizes' does not exist/,
  },
  {
    reason: 'a path that the resource does not have',
    patch: 'from(instance.spec.size).to(server.spec.forProvider.prot)',
    says: /'prot' does not exist/,
  },
  {
    reason: 'text for a number',
    patch: 'from(instance.spec.databaseName).to(server.spec.forProvider.port)',
    says: /'string' is not assignable to type 'number'|not assignable/,
  },
  { reason: 'text for an enumeration', patch: 'from(instance.spec.databaseName).to(server.spec.deletionPolicy)', says: /not assignable/ },
  {
    reason: 'arithmetic with text',
    patch: 'from(instance.spec.databaseName).multiply(2).to(server.spec.forProvider.port)',
    says: /not assignable/,
  },
  {
    reason: 'a size without an entry in the map',
    patch: 'from(instance.spec.size).map({ small: 1, large: 3 }).to(server.spec.forProvider.port)',
    says: /'medium' is missing/,
  },
  {
    reason: 'a size that there is not',
    patch: 'from(instance.spec.size).map({ small: 1, medium: 2, large: 3, huge: 4 }).to(server.spec.forProvider.port)',
    says: /'huge' does not exist/,
  },
  {
    reason: 'a map to values of the wrong type',
    patch: "from(instance.spec.size).map({ small: 's', medium: 'm', large: 'l' }).to(server.spec.forProvider.port)",
    says: /not assignable/,
  },
  { reason: 'from the composite to itself', patch: 'from(instance.spec.size).to(instance.spec.databaseName)', says: /not assignable/ },
  {
    reason: 'a connection secret key that the server does not publish',
    details: "username: secretKey('user')",
    says: /"user".*not assignable|not assignable/,
  },
  { reason: 'a detail that the definition does not promise', details: "dsn: secretKey('username')", says: /not assignable/ },
  {
    reason: 'a base with a field of the wrong type',
    base: "{ spec: { forProvider: { port: 'http' } } }",
    says: /'string' is not assignable to type 'number'/,
  },
  { reason: 'a base without what is required', base: '{}', says: /'spec' is missing/ },
  { reason: 'a field in a base', base: '{ spec: { deletionPolicy: instance.spec.size } }', says: /not assignable/ },
]

describe('the compiler', () => {
  it('C5: takes a composition whose paths and types are right', async () => {
    expect(await typeErrors('composition.ts')).toEqual(new Map())
  })

  it('takes the kind as a type argument, too', async () => {
    await writeFile(
      path('argument.ts'),
      `import { defineComposition, from, resource } from '@weft/composition'
       import { PostgreSQLInstance, PostgreSQLServer } from './types.ts'
       export default defineComposition<PostgreSQLInstance>(PostgreSQLInstance, { name: 'x' }, (instance) => [
         resource<PostgreSQLServer, string>(PostgreSQLServer, { spec: {} }, (server) => ({ patches: [from(instance.spec.size).to(server.metadata.labels['size'])] })),
       ])`,
    )
    expect(await typeErrors('argument.ts')).toEqual(new Map())
  })

  it('C5, C6, C7, C16: finds every path and type that is wrong, and nothing else', async () => {
    const head = [
      "import { type Composition, defineComposition, from, resource, secretKey } from '@weft/composition'",
      "import { PostgreSQLInstance, PostgreSQLServer } from './types.ts'",
      'from; secretKey',
    ]
    const lines = WRONG.map(
      ({ patch, base = '{ spec: {} }', details }, i) =>
        `export const wrong${i}: Composition = defineComposition(PostgreSQLInstance, { name: 'x' }, (instance) => [resource(PostgreSQLServer, ${base}, (server) => ({ patches: [${patch ?? ''}], connectionDetails: { ${details ?? ''} }, readinessChecks: server && instance && [] }))])`,
    )
    await writeFile(path('wrong.ts'), [...head, ...lines].join('\n'))
    const errors = await typeErrors('wrong.ts')
    for (const [i, { reason, says }] of WRONG.entries()) expect(errors.get(head.length + i + 1) ?? 'no error', reason).toMatch(says)
    expect(errors.size).toBe(WRONG.length)
  })
})

describe('weft compile', () => {
  it('prints a Composition, from a file that uses the whole language', async () => {
    await writeFile(
      path('name.ts'),
      "export enum Name { Local = 'from-an-enum' }\nexport const names = [1, 2].map((n): string => `${Name.Local}-${n}`)",
    )
    await writeFile(
      path('several.ts'),
      `import { readFileSync } from 'node:fs'
       import { defineComposition, resource, untyped } from '@weft/composition'
       import { names } from './name.ts'
       import { isThere } from './old.cjs'
       const there = isThere(new URL('./definitions.yaml', import.meta.url)) && readFileSync(${JSON.stringify(path('definitions.yaml'))}, 'utf8').length > 0
       export const all = names.map((name) => defineComposition(untyped('example.org/v1', 'Thing'), { name }, () => [resource(untyped('v1', 'ConfigMap'), { data: { there: String(there) } })]))`,
    )
    await writeFile(path('old.cjs'), "const { existsSync } = require('node:fs')\nexports.isThere = existsSync\n")
    const { code, output } = await weft('compile', path('several.ts'))
    expect(code, output).toBe(0)
    const documents = output.split('---\n').map((text) => parse(text) as { metadata: { name: string }; spec: { to: unknown[] } })
    expect(documents.map(({ metadata }) => metadata.name)).toEqual(['from-an-enum-1', 'from-an-enum-2'])
    expect(documents[0]?.spec.to).toEqual([{ base: { apiVersion: 'v1', kind: 'ConfigMap', data: { there: 'true' } } }])
  })

  it.each([
    { reason: 'no such file', file: undefined, message: /cannot read .*missing\.ts: there is no such file/ },
    { reason: 'a syntax error', file: 'export default {', message: /bad\.ts:1:17: / },
    { reason: 'an import that is not there', file: "import './nothing.ts'", message: /bad\.ts:1:\d+: Could not resolve "\.\/nothing\.ts"/ },
    { reason: 'no composition', file: 'export default 1', message: /bad\.ts exports no composition/ },
    { reason: 'a program that fails', file: "\nthrow new Error('not today')", message: /bad\.ts:2: not today/ },
    {
      reason: 'two of one name',
      file: `import { defineComposition as d, resource, untyped as u } from '@weft/composition'
        const make = () => d(u('a/v1', 'A'), { name: 'same' }, () => [resource(u('v1', 'B'), {})])
        export const a = make(), b = make()`,
      message: /two compositions are named same/,
    },
    {
      reason: 'C16: a missing detail, with the line of the author',
      file: `import { defineComposition, resource } from '@weft/composition'
        import { PostgreSQLInstance, PostgreSQLServer } from './types.ts'

        export default defineComposition(PostgreSQLInstance, { name: 'x' }, () => [resource(PostgreSQLServer, { spec: {} })])`,
      message: /bad\.ts:4: Composition x: .*no template exposes the connection detail "username"/,
    },
  ])('refuses $reason in one line, and writes nothing', async ({ file, message }) => {
    if (file !== undefined) await writeFile(path('bad.ts'), file)
    const { code, output } = await weft('compile', path(file === undefined ? 'missing.ts' : 'bad.ts'), '-o', path('never.yaml'))
    expect(output).toMatch(message)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
    expect(await readdir(project)).not.toContain('never.yaml')
  })

  it('C5: checks against definitions what no type was there to check', async () => {
    await writeFile(
      path('loose.ts'),
      `import { at, defineComposition, from, resource, untyped } from '@weft/composition'
       export default defineComposition(untyped('database.example.org/v1alpha1', 'PostgreSQLInstance'), { name: 'loose' }, (i) => [
         resource(untyped('v1', 'X'), {}, (x) => ({ patches: [from(at(i, 'spec', 'nothing')).to(at(x, 'spec', 'a'))] }))])`,
    )
    const { code, output } = await weft('compile', path('loose.ts'), '-f', path('definitions.yaml'))
    expect(output).toMatch(/spec\.to\[0\]\.patches\[0\]\.fromFieldPath.*the composite resource has no field spec\.nothing/)
    expect(code).toBe(1)
  })
})

describe('from a server', () => {
  let control: WeftProcess
  beforeAll(async () => {
    control = await startWeft({ args: ['--provider', 'nop'] })
  })
  afterAll(() => control.stop())

  it('makes types of what is installed, active or not', async () => {
    const { code, output } = await weft('types', '--kubeconfig', control.kubeconfig, '--kind', 'NopResource')
    expect(code, output).toBe(0)
    expect(output).toContain('export interface NopResource {')
  })

  it('C16: with the contracts of definitions, which their kinds alone do not tell', async () => {
    const cluster = ['--kubeconfig', control.kubeconfig]
    const applied = await weft('apply', ...cluster, '-f', path('definitions.yaml'))
    expect(applied.code, applied.output).toBe(0)
    const { code, output } = await weft('types', ...cluster, '--kind', 'PostgreSQLInstance.database.example.org')
    expect(code, output).toBe(0)
    const [, ofExample = ''] =
      /(export interface PostgreSQLInstance[\s\S]*?\n}\nexport const[\s\S]*?\n}\n)/.exec(await readFile(path('types.ts'), 'utf8')) ?? []
    expect(ofExample).toContain('connectionDetails')
    expect(output).toContain(ofExample)
  })

  it('says in one line that there is no server', async () => {
    const { code, output } = await weft('types', '--kubeconfig', path('nowhere'))
    expect(output).toMatch(/nowhere/)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })
})
