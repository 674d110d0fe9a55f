import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { apply, claim, database, databaseDefinition, PLATFORM, requirement } from './plan-world.ts'
import { followWeft, weft } from './weft-command.ts'

let directory: string
const file = (name: string): string => join(directory, name)
const save = (name: string, ...objects: readonly KubeObject[]): Promise<void> =>
  writeFile(file(name), objects.map((object) => stringify(object)).join('---\n'))

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weft-plan-'))
  await save('platform.yaml', ...PLATFORM)
  await save('database.yaml', database('shop', { size: 3 }, 'database-large'))
  await writeFile(file('half.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\n---\nkind: [\n')
  await save('unknown.yaml', { apiVersion: 'nowhere.org/v1', kind: 'Nothing', metadata: { name: 'none' } })
  await writeFile(
    file('typo.yaml'),
    'apiVersion: example.org/v1alpha1\nkind: Database\nmetadata:\n  name: typo\nspec:\n  size: 1\n  sise: 2\n',
  )
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('without a server', () => {
  test('render prints what would be made, and with --explain where each field comes from', async () => {
    const plain = await weft('render', file('platform.yaml'), file('database.yaml'), '--quiet')
    expect(plain.code).toBe(0)
    expect(plain.output.match(/^kind: .*$/gm)).toEqual(['kind: NopResource', 'kind: NopResource', 'kind: Network', 'kind: NopResource'])
    const explained = await weft('render', '-f', file('platform.yaml'), '-f', file('database.yaml'), '--explain')
    expect(explained.output).toMatch(/gigabytes: 3 # Composition\/database-large spec\.to\[0\]\.patches\[0\]: spec\.size → /)
    expect((await weft('render', file('platform.yaml'), file('database.yaml'), '--quiet')).output).toBe(plain.output)
  })

  test('validate says where each mistake is', async () => {
    const right = await weft('validate', file('platform.yaml'), file('database.yaml'))
    expect(right).toMatchObject({ code: 0, output: `${PLATFORM.length + 1} objects checked: 0 errors, 0 warnings\n` })
    const wrong = await weft('validate', file('typo.yaml'), '--schemas', file('platform.yaml'))
    expect(wrong.code).toBe(1)
    expect(wrong.output).toContain(`${file('typo.yaml')}:7:3: error: Database/typo: spec.sise: there is no such field in Database\n`)
    const half = await weft('validate', file('half.yaml'), '-o', 'json')
    expect(half.code).toBe(1)
    expect((JSON.parse(half.output) as { problems: object[] }).problems).toMatchObject([
      { severity: 'error', file: file('half.yaml'), line: 6 },
    ])
    expect((await weft('validate', file('unknown.yaml'), '-o', 'github')).output).toContain('::error file=')
  })

  test('package build refuses what validate refuses', async () => {
    const platform = file('broken-package')
    expect((await weft('package', 'init', 'configuration', platform, '--name', 'broken')).code).toBe(0)
    const composition = join(platform, 'composition.yaml')
    const patch = '    patches:\n    - {fromFieldPath: spec.nowhere, toFieldPath: spec.forProvider.fields.size}\n'
    await writeFile(composition, `${await readFile(composition, 'utf8')}${patch}`)
    const target = file('broken.xpkg')
    const [validated, built] = [await weft('validate', platform), await weft('package', 'build', platform, '-o', target)]
    for (const { code, output } of [validated, built]) {
      expect(code).toBe(1)
      expect(output).toContain('the composite resource has no field spec.nowhere')
    }
    expect(existsSync(target)).toBe(false)
  })

  test.each<[string, () => readonly string[], number, RegExp]>([
    ['render: no files', () => ['render'], 1, /name the files to render/],
    ['render: a file that is not there', () => ['render', file('absent.yaml')], 1, /cannot read .*absent\.yaml: there is no such file/],
    ['render: one bad document', () => ['render', file('half.yaml')], 1, /half\.yaml:6: not valid YAML/],
    [
      'render: nothing to render',
      () => ['render', file('unknown.yaml')],
      1,
      /nothing here is a claim, requirement, composite or application/,
    ],
    ['render: no such intent', () => ['render', file('platform.yaml'), '--only', 'box/x'], 1, /there is no box\/x in the files/],
    ['validate: a file that is not there', () => ['validate', file('absent.yaml')], 1, /there is no such file/],
    ['diff: no server', () => ['diff', '-f', file('database.yaml'), '--kubeconfig', file('absent')], 2, /absent/],
    ['diff: nothing named', () => ['diff'], 2, /name files with -f/],
    ['diff: one bad document', () => ['diff', '-f', file('half.yaml')], 2, /half\.yaml:6/],
    ['trace: no server', () => ['trace', 'database/x', '--kubeconfig', file('absent')], 1, /absent/],
  ])('%s is one line and an exit code', async (_reason, args, code, message) => {
    const result = await weft(...args())
    expect(result.code).toBe(code)
    expect(result.output).toMatch(message)
    expect(result.output.trim().split('\n')).toHaveLength(1)
    expect(result.output).toMatch(/^error: /)
  })
})

test('diff does not take a mistake on the command line for a difference', async () => {
  expect(await weft('diff', '--nonsense')).toMatchObject({
    code: 2,
    output: expect.stringContaining("unknown option '--nonsense'") as string,
  })
  expect((await weft('diff', '--help')).code).toBe(0)
})

describe('with a server', () => {
  let plane: TestControlPlane
  const on = (...args: readonly string[]): ReturnType<typeof weft> => weft(...args, '--kubeconfig', plane.kubeconfigPath ?? '')
  beforeAll(async () => {
    plane = await startControlPlane({ dataDir: file('data') })
    await apply(plane.client, ...PLATFORM)
  })
  afterAll(() => plane.stop())

  test('diff tells what apply then does, and nothing after it', async () => {
    const before = await on('diff', '-f', file('database.yaml'))
    expect(before.code).toBe(1)
    expect(before.output).toContain('+ Database shop\n')
    expect(before.output).toContain('Plan: 5 to create, 0 to change, 0 to delete.\n')
    expect((await on('apply', '-f', file('database.yaml'))).code).toBe(0)
    expect((await on('wait', 'database.example.org/shop', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    expect(await on('plan', '-f', file('database.yaml'))).toMatchObject({ code: 0, output: 'Nothing would change.\n' })
    const json = await on('diff', '--delete', 'database.example.org/shop', '-o', 'json')
    expect(json.code).toBe(1)
    expect((JSON.parse(json.output) as { changes: { action: string }[] }).changes.map(({ action }) => action)).toEqual(
      Array(5).fill('delete'),
    )
  })

  test('a field that the kind does not have is refused with the one that was probably meant, by diff as by apply', async () => {
    await save('misspelt.yaml', { ...database('misspelt', {}), spec: { sise: 2 } })
    const words = /misspelt.*\.spec\.sise: field not declared in schema \(did you mean size\?\)\n$/
    const refused = { stderr: expect.stringMatching(words) as string, stdout: '' }
    expect(await on('diff', '-f', file('misspelt.yaml'))).toMatchObject({ code: 2, ...refused })
    expect(await on('apply', '-f', file('misspelt.yaml'))).toMatchObject({ code: 1, ...refused })
  })

  test('bookkeeping is shown with --all only, unless somebody wrote it; what is destroyed is said last', async () => {
    await save('claim.yaml', claim('told', 'single'))
    const short = await on('diff', '-f', file('claim.yaml'))
    expect(short.output).toContain('+ NopResource default-told-(generated)\n')
    expect(short.output).toMatch(/^ +spec\.classRef: ResourceClass single$/m)
    expect(short.output).not.toMatch(/claimRef|resourceRef|uid|resourceclaim/)
    expect((await on('diff', '-f', file('claim.yaml'), '--all')).output).toMatch(/spec\.claimRef: MySQLInstance default\/told/)
    await save('labelled.yaml', { ...claim('told', 'single'), metadata: { name: 'told', labels: { 'weft.dev/mine': 'hand' } } })
    expect((await on('diff', '-f', file('labelled.yaml'))).output).toContain('metadata.labels[weft.dev/mine]: hand')
    expect((await on('apply', '-f', file('claim.yaml'))).code).toBe(0)
    expect((await on('wait', 'mysqlinstance/told', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    const gone = await on('diff', '--delete', 'mysqlinstance/told')
    expect(gone.output).toMatch(
      /Plan: 0 to create, 0 to change, 2 to delete\.\nDestroyed, with all data in it:\n {2}NopResource (default-told-\w+) \(external name \1\)\n$/,
    )
  })

  test('a saved plan is carried out as it is, once, or refused because things have changed', async () => {
    const plan = file('saved.plan')
    await save('saved.yaml', requirement('saved', { size: 2 }, 'database-large'))
    const made = await on('diff', '-f', file('saved.yaml'), '--out', plan)
    expect(made).toMatchObject({ code: 1, output: expect.stringContaining(`weft apply ${plan}`) as string })
    expect((await stat(plan)).mode & 0o777).toBe(0o600)
    // Somebody changes what the requirement would be made from.
    await apply(plane.client, databaseDefinition('database-small', 7))
    await save('saved-other.yaml', requirement('saved', { size: 9 }, 'database-large'))
    expect((await on('apply', '-f', file('saved-other.yaml'))).code).toBe(0)
    const refused = await on('apply', plan)
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(
      /things have changed since .*; nothing was applied:\n {2}DatabaseRequirement\.example\.org\/v1alpha1 default\/saved would be changed instead of created/,
    )
    expect(
      await plane.client.get({ group: 'example.org', kind: 'DatabaseRequirement' }, { name: 'saved', namespace: 'default' }),
    ).toMatchObject({
      spec: { size: 9 },
    })
    expect((await on('wait', 'databaserequirement/saved', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    expect((await on('diff', '-f', file('saved.yaml'), '--out', plan)).output).toContain('spec.size: 9 → 2')
    expect(await on('apply', plan)).toMatchObject({ code: 0, output: 'databaserequirement.example.org/saved configured\n' })
    expect((await on('wait', 'databaserequirement/saved', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    expect((await on('apply', plan)).output).toContain('would no longer be changed')
    expect((await on('diff', '--delete', 'databaserequirement/saved', '--out', plan)).code).toBe(1)
    expect(await on('apply', plan)).toMatchObject({ code: 0, output: 'databaserequirement.example.org "saved" deleted\n' })
  })

  test('a saved plan is applied where it was planned, whatever namespaces its objects name', async () => {
    await plane.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } })
    const plan = file('elsewhere.plan')
    const config = (name: string, namespace?: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ...(namespace !== undefined && { namespace }) },
    })
    await save('elsewhere.yaml', config('named', 'elsewhere'), config('unnamed'))
    expect((await on('diff', '-f', file('elsewhere.yaml'), '--out', plan)).code).toBe(1)
    expect(await on('apply', plan, '-n', 'elsewhere')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/was planned in namespace default, but -n says elsewhere/) as string,
    })
    expect(await on('apply', plan)).toMatchObject({ code: 0, output: 'configmap/named created\nconfigmap/unnamed created\n' })
    const kind = { group: '', kind: 'ConfigMap' }
    expect(await plane.client.find(kind, { name: 'named', namespace: 'elsewhere' })).toBeDefined()
    expect(await plane.client.find(kind, { name: 'unnamed', namespace: 'default' })).toBeDefined()
  })

  test.each<[string, () => readonly string[], RegExp]>([
    ['files and a plan', () => ['apply', 'a.plan', '-f', file('database.yaml')], /name either files with -f, or a plan/],
    ['neither', () => ['apply'], /name either files with -f, or a plan/],
    ['a plan that is not there', () => ['apply', file('absent.plan')], /^error: cannot read \S+absent\.plan: there is no such file\n$/],
    [
      'a file that is no plan',
      () => ['apply', file('database.yaml')],
      /is not a plan that `weft diff --out` has saved; files with objects are applied with -f/,
    ],
    ['a plan, tried only', () => ['apply', 'a.plan', '--dry-run=server'], /a saved plan is applied as it is/],
  ])('apply of %s is refused in words', async (_case, args, message) => {
    expect(await on(...args())).toMatchObject({ code: 1, output: expect.stringMatching(message) as string })
  })

  test('apply --wait ends when what was applied works, and says why something does not', async () => {
    await save('works.yaml', claim('works', 'single'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'just-is' } })
    const works = await on('apply', '-f', file('works.yaml'), '--wait')
    expect(works).toMatchObject({ code: 0, stdout: expect.stringMatching(/mysqlinstance\.\S+\/works is ready\n$/) as string })
    await save('never.yaml', requirement('never', { size: 1 }, 'nowhere'))
    const never = await on('apply', '-f', file('never.yaml'), '--wait', '--timeout=3s')
    expect(never.code).toBe(1)
    expect(never.stderr).toMatch(/never: timed out after 3s waiting for it to be ready: /)
  })

  test('what would be refused, and what is not there, is an error', async () => {
    const typo = await on('diff', '-f', file('typo.yaml'))
    expect(typo.code).toBe(2)
    expect(typo.output).toContain('sise')
    expect((await on('diff', '-f', file('unknown.yaml'))).output).toContain('Nothing.nowhere.org')
    expect((await on('plan', '--delete', 'database.example.org/absent')).code).toBe(2)
    expect((await on('trace', 'database.example.org/absent')).code).toBe(1)
    expect((await on('trace', 'nothing/absent')).output).toMatch(/^error: /)
  })

  test('trace begins with the reason', async () => {
    await apply(plane.client, requirement('broken', { size: 1 }, 'nowhere'), claim('fine', 'pair'))
    expect((await on('wait', 'mysqlinstance/fine', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    const fine = await on('trace', 'mysqlinstance/fine', '-o', 'wide')
    expect(fine.output.split('\n')[0]).toBe('MySQLInstance default/fine is ready.')
    expect(fine.output).toMatch(/├─ NopResource\//)
    expect((await on('wait', 'databaserequirement/broken', '--for=condition=Synced=False', '--timeout=60s')).code).toBe(0)
    const broken = await on('trace', 'databaserequirement/broken')
    expect(broken.output.split('\n')[0]).toMatch(
      /^DatabaseRequirement default\/broken is not ready, because Database default-broken-\w+ cannot be synced: .*Composition nowhere/,
    )
    expect(broken.output.match(/Composition nowhere/g)).toHaveLength(1)
    expect((await on('trace', 'mysqlinstance', 'fine', '-o', 'dot')).output).toMatch(/^digraph trace \{/)
    expect(JSON.parse((await on('trace', 'mysqlinstance/fine', '-o', 'json')).output)).toMatchObject({
      state: 'ready',
      children: [{ children: [{}, {}] }],
    })
  })

  test('trace --watch shows what comes and what becomes of it, and the same never twice in a row', async () => {
    const watched = followWeft({}, 'trace', 'mysqlinstance/awaited', '--watch', '--kubeconfig', plane.kubeconfigPath ?? '')
    try {
      await watched.until(/MySQLInstance default\/awaited does not exist\./)
      await apply(plane.client, claim('awaited', 'pair'))
      const seen = await watched.until(/MySQLInstance default\/awaited is ready\.\n\n[\s\S]*└─ NopResource\/.*\n/)
      const trees = seen.split(/\n\n(?=MySQLInstance default\/awaited)/).map((tree) => tree.trim())
      expect(trees.length).toBeGreaterThan(1)
      for (const [i, tree] of trees.entries()) expect(tree).not.toBe(trees[i + 1])
    } finally {
      await watched.stop()
    }
  })

  test('pause leaves an object alone, with --tree all that was made for it; resume and reconcile take it up again', async () => {
    await apply(plane.client, claim('still', 'pair'))
    expect((await on('wait', 'mysqlinstance/still', '--for=condition=Ready', '--timeout=60s')).code).toBe(0)
    const one = await on('pause', 'mysqlinstance/still')
    expect(one).toMatchObject({ code: 0, output: 'mysqlinstance.database.crossplane.io/still paused\n' })
    const tree = await on('pause', 'mysqlinstance', 'still', '--tree')
    expect(tree.output).toMatch(/^mysqlinstance\S*\/still is paused already\n/)
    expect(tree.output.match(/^nopresource\.nop\.crossplane\.io\/\S+ paused$/gm)).toHaveLength(2)
    const member = /^(nopresource\S+) paused$/m.exec(tree.output)?.[1] ?? ''
    expect((await on('wait', member, '--for=condition=Synced=False', '--timeout=60s')).code).toBe(0)
    expect((await on('resume', 'mysqlinstance/still', '--tree')).output.match(/ resumed$/gm)?.length).toBeGreaterThanOrEqual(3)
    expect((await on('wait', member, '--for=condition=Synced', '--timeout=60s')).code).toBe(0)
    expect((await on('resume', 'mysqlinstance/still')).output).toMatch(/still is not paused\n/)
    expect(await on('reconcile', member)).toMatchObject({ code: 0, output: `${member} will be looked at now\n` })
    const looked = await on('wait', member, '--for=jsonpath={.status.lastHandledReconcileAt}', '--timeout=60s')
    expect(looked.code).toBe(0)
    expect(await on('pause', 'mysqlinstance/nowhere')).toMatchObject({ code: 1 })
    expect((await on('pause', 'mysqlinstance')).output).toMatch(/name objects of mysqlinstances, or choose them with -l or --all/)
  })
})
