import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gvkOf, isJsonObject, type KubeObject } from '@weft/api'
import { convertObjects, sideOf } from '@weft/composition'
import { NO_PACKAGES, Renderer, renderPipeline } from '@weft/plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { weft } from '../integration/weft-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'weft-convert-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

const parse = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as KubeObject)
    .filter((object) => object !== null)

async function objectsOf(folder: string): Promise<readonly KubeObject[]> {
  const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.yaml') && name !== 'broken.yaml').toSorted()
  return (await Promise.all(files.map(async (name) => parse(await readFile(join(root, folder, name), 'utf8'))))).flat()
}

const FUNCTIONS: readonly KubeObject[] = ['function-patch-and-transform', 'function-auto-ready'].map((name) => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: { name },
  spec: { package: `registry.example.org/${name}:v1.0.0` },
}))

const UID = '0b0c7a3c-5a53-4b51-9f3a-0f8cbd1d3c7e'
const isComposition = (object: KubeObject): boolean => object.kind === 'Composition'
const isDefinitionOf =
  (composite: KubeObject) =>
  ({ kind, spec }: KubeObject & { spec?: unknown }): boolean => {
    const defined = (spec as { readonly names?: { readonly kind?: string } }).names
    return kind === 'CompositeResourceDefinition' && defined?.kind === composite.kind
  }

/** What a member is, whoever composed it: without names, owners and the marks of the machinery. */
function substance({ apiVersion, kind, metadata, ...rest }: KubeObject): unknown {
  const own = (map: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(map).filter(([key]) => !/^(crossplane\.io\/(composite|composition|claim)|weft\.dev\/)/.test(key)))
  return { apiVersion, kind, labels: own(metadata.labels), annotations: own(metadata.annotations), ...rest }
}
/** By templates a nested composite is rendered as well, and so has been given its Composition. */
function unchosen(member: object): object {
  const { compositionRef: _, ...spec } = (member as { readonly spec: { readonly compositionRef?: unknown } }).spec
  return { ...member, spec }
}
const sorted = (objects: readonly KubeObject[]): readonly unknown[] =>
  objects.map(substance).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** The members of a composite by templates; nested composites are members, and theirs are not. */
async function byTemplates(composite: KubeObject, objects: readonly KubeObject[]): Promise<readonly unknown[]> {
  const { objects: made } = await new Renderer([composite, ...objects], { packages: NO_PACKAGES } as never).render(composite)
  const owned = made.map(({ object }) => object).filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === composite.metadata.name)
  return sorted(owned)
}

async function byPipeline(composite: KubeObject, composition: KubeObject, objects: readonly KubeObject[]): Promise<readonly unknown[]> {
  const xrd = objects.find(isDefinitionOf(composite)) as KubeObject
  const { composed } = await renderPipeline({ objects: [composite, composition, xrd, ...FUNCTIONS], timeoutMs: 20_000 })
  return sorted(composed)
}

/** Composites of the examples' kinds, each for one of their Compositions. */
const CASES: readonly [folder: string, composition: string, kind: string, spec: object][] = [
  ['examples/composition', 'public-mysql', 'MySQLDatabase', { engineVersion: '5.7', storageGB: 20 }],
  ['examples/composition', 'private-mysql', 'MySQLDatabase', { engineVersion: '5.6', storageGB: 30, region: 'us-east' }],
  ['examples/nested', 'gcp-network', 'Network', { cidr: '10.0.0.0/16' }],
  ['examples/nested', 'gcp-landing-zone', 'LandingZone', { region: 'us-east4' }],
]

describe('K34 the same composite has the same members', () => {
  test.each(CASES)('%s: %s', async (folder, name, kind, spec) => {
    const given = await objectsOf(folder)
    const composition = given.find((object) => isComposition(object) && object.metadata.name === name) as KubeObject
    const { apiVersion } = (composition['spec'] as { from: { apiVersion: string } }).from
    const composite: KubeObject = {
      apiVersion,
      kind,
      metadata: { name: 'one', uid: UID },
      spec: { ...spec, infrastructure: { compositionRef: { name } } },
    }
    const { objects: converted, losses } = convertObjects([...given, composite], 'crossplane')
    expect(losses).toEqual([])
    const made = converted.find((object) => isComposition(object) && object.metadata.name === name) as KubeObject
    const other = converted.find((object) => object.kind === kind && object.metadata.name === 'one') as KubeObject
    const owned = convertObjects(
      [...given, ...((await byTemplates(composite, given)) as KubeObject[]).map((object) => ({ ...object, metadata: {} }))],
      'crossplane',
    ).objects.slice(-(composition['spec'] as { to: object[] }).to.length)
    const expected = owned.map((member) => ({ labels: {}, annotations: {}, ...unchosen(withoutMetadata(member)) }))
    // A conversion is of what people wrote: the uid is the server's.
    const stored = { ...other, metadata: { ...other.metadata, uid: UID } }
    expect(await byPipeline(stored, made, converted)).toEqual(expected.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
  })
})

describe('there and back', () => {
  test.each(['examples/composition', 'examples/nested'])('%s comes back as it was', async (folder) => {
    const given = await objectsOf(folder)
    const there = convertObjects(given, 'crossplane')
    const back = convertObjects(there.objects, 'weft')
    expect([...there.losses, ...back.losses]).toEqual([])
    expect(there.objects.some((object) => sideOf(object) === 'weft')).toBe(false)
    const byName = (objects: readonly KubeObject[]) =>
      new Map(objects.map((object) => [`${gvkOf(object).kind}/${object.metadata.name ?? ''}`, object]))
    expect(byName(back.objects)).toEqual(byName(given))
  })

  const PLATFORMS = [
    'app',
    'bucket',
    'claimed',
    'cluster',
    'conditional',
    'database',
    'environment',
    'kubernetes-app',
    'landing-zone',
    'mixed',
    'network',
    'queue',
  ]
  test.each([...PLATFORMS.map((name) => `test/platforms/${name}`), 'examples/crossplane-claims', 'examples/crossplane-namespaced'])(
    '%s: what is not lost on the way to templates stays',
    async (folder) => {
      const given = await objectsOf(folder)
      const { objects, losses } = convertObjects(given, 'weft')
      for (const { path, message } of losses) expect([path, message].every((text) => text.length > 3)).toBe(true)
      // Whatever the first conversion cost, none after it costs anything.
      const again = convertObjects(objects, 'crossplane')
      const templates = convertObjects(again.objects, 'weft')
      expect(again.losses.filter(({ path }) => !path.endsWith('writeConnectionSecretToRef.name'))).toEqual([])
      if (again.losses.length > 0) return
      expect(templates.losses).toEqual([])
      expect(templates.objects.filter(isJsonObject)).toEqual(objects)
    },
  )
})

describe('weft convert', () => {
  const file = (name: string): string => join(scratch, name)

  test('finds the direction, converts there and back, and says what it did', async () => {
    const there = await weft('convert', '-f', join(root, 'examples/nested'), '-o', file('there.yaml'))
    expect(there.code).toBe(0)
    expect(there.stderr).toMatch(/converted 5 objects to Crossplane\n.*function-patch-and-transform/)
    const back = await weft('convert', '-f', file('there.yaml'))
    expect(back.code).toBe(0)
    expect(parse(back.stdout).map(({ kind }) => kind)).toEqual([
      'Composition',
      'Composition',
      'InfrastructureDefinition',
      'InfrastructureDefinition',
      'LandingZone',
    ])
    expect((await weft('validate', '--strict', '-f', file('there.yaml'))).code).toBe(0)
  })

  test('writes nothing where something would be lost, unless told to', async () => {
    const folder = join(root, 'examples/wordpress')
    const refused = await weft('convert', '-f', folder, '-o', file('lost.yaml'))
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Composition local-postgresql would lose\n  spec.to[1].patches[0].fromFieldPath: ')
    expect(refused.stderr).toContain('--lossy')
    await expect(readFile(file('lost.yaml'))).rejects.toThrow(/ENOENT/)
    const lossy = await weft('convert', '-f', folder, '-o', file('lost.yaml'), '--lossy')
    expect(lossy.code).toBe(0)
    expect(lossy.stderr).toContain('would lose')
    expect(await readFile(file('lost.yaml'), 'utf8')).not.toContain('composedRefs')
  })

  test.each<[reason: string, args: readonly string[], words: RegExp]>([
    ['no files', [], /name the files/],
    ['nothing to convert', ['-f', 'examples/crossplane-claims/claim.yaml'], /nothing to convert/],
    ['both sorts', ['-f', 'examples/nested', '-f', 'examples/crossplane-claims'], /--to crossplane or --to weft/],
  ])('refuses %s in words', async (_, args, words) => {
    const { code, stderr } = await weft('convert', ...args.map((arg) => (arg.startsWith('examples/') ? join(root, arg) : arg)))
    expect(code).toBe(1)
    expect(stderr).toMatch(words)
  })
})

function withoutMetadata(object: KubeObject): Omit<KubeObject, 'metadata'> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'metadata')) as Omit<KubeObject, 'metadata'>
}
