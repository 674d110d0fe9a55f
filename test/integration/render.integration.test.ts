import { getOwn, isJsonObject, type KubeObject, parseGroupVersion, withMeta } from '@weft/api'
import { type Client, createClient, NoMatchError } from '@weft/client'
import type { TraceNode, TraceRef } from '@weft/composition'
import { type ControlPlane, startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { openBundledPackages, Renderer, traceObject } from '@weft/plan'
import { loadPackage, type ProviderDefinition } from '@weft/provider-sdk'
import { ADMINISTRATOR, eventually } from '@weft/testing'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { changed, mayDoEverything } from '../seeds/definition-world.ts'
import { example } from '../seeds/seed-examples.ts'
import { claimKind } from '../seeds/seed-world.ts'
import { apply, claim, COMPOSITIONS, database, PLATFORM, requirement, TIERS } from './plan-world.ts'

/** Packages without the controllers of their kinds: whatever appears was made by Weft alone. */
const packageOnly = (name: string): ProviderDefinition => ({
  name: `provider-${name}`,
  package: loadPackage(new URL(`../../providers/${name}/src/index.ts`, import.meta.url).href, name),
  kinds: [],
})

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

let plane: ControlPlane | undefined
afterEach(async () => {
  await plane?.stop(0)
  plane = undefined
})

async function startWorld(...providers: readonly string[]): Promise<Client> {
  plane = await startControlPlane({
    dataDir: '',
    inMemory: true,
    providers: providers.map(packageOnly),
    schedulerJitterMs: 0,
    log: () => undefined,
  })
  return createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
}

/** Applies everything, renders everything, and compares what was made for each intent, object by object. */
async function agree(client: Client, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const renderer = new Renderer(objects, { packages: openBundledPackages() })
  const intents = renderer.intents()
  await apply(client, ...objects)
  const made: string[] = []
  for (const intent of intents) {
    const rendering = await renderer.render(intent)
    const rendered = rendering.objects.map(({ object }) => object)
    await eventually(
      async () => {
        const actual = await objectsBelow(client, rendering.intent)
        expect(actual.map(({ kind }) => kind)).toEqual(rendered.map(({ kind }) => kind))
        expect(withNamesOf(actual, rendered).map(comparable)).toEqual(rendered.map(comparable))
      },
      { timeoutMs: 60_000, intervalMs: 50 },
    )
    made.push(...rendered.map(({ kind }) => kind))
  }
  return made
}

async function objectsBelow(client: Client, { apiVersion, kind, metadata }: KubeObject): Promise<readonly KubeObject[]> {
  const known = new Map<TraceRef, KubeObject>()
  const fetch = async (ref: TraceRef): Promise<KubeObject | undefined> => {
    try {
      const found = await client.find({ ...parseGroupVersion(ref.apiVersion), kind: ref.kind }, ref)
      if (found !== undefined) known.set(ref, found)
      return found
    } catch (error) {
      if (error instanceof NoMatchError) return undefined
      throw error
    }
  }
  const root: TraceRef = {
    apiVersion,
    kind,
    name: metadata.name ?? '',
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  }
  const node = await traceObject(fetch, root)
  const objectOf = ({ ref }: TraceNode): readonly KubeObject[] =>
    [...known.values()].filter((each) => each.kind === ref.kind && each.metadata.name === ref.name)
  const below = (each: TraceNode): readonly KubeObject[] => each.children.flatMap((child) => [...objectOf(child), ...below(child)])
  return below(node)
}

/** Generated names are compared by where they stand, not by what they are. */
function withNamesOf(actual: readonly KubeObject[], rendered: readonly KubeObject[]): readonly KubeObject[] {
  const names = new Map(actual.map(({ metadata }, i) => [metadata.name ?? '', rendered[i]?.metadata.name ?? '']))
  const pattern = new RegExp([...names.keys()].toSorted((a, b) => b.length - a.length).join('|') || '(?!)', 'g')
  return actual.map((object) => JSON.parse(JSON.stringify(object).replaceAll(pattern, (name) => names.get(name) ?? name)) as KubeObject)
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Without what a server fills in, and with uids, which are made up, all alike. */
function comparable(object: KubeObject): unknown {
  const { labels, annotations, ownerReferences, name, namespace } = object.metadata
  const wish = withMeta({ ...object, metadata: {} }, { labels, annotations, ownerReferences, name, namespace })
  const { status: _status, ...rest } = JSON.parse(JSON.stringify(wish).replaceAll(UID, '<uid>')) as Record<string, unknown>
  return withoutClassUid(rest)
}

/** A class in a file has no uid. */
function withoutClassUid(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutClassUid)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value).map((key) => {
      const member = getOwn(value, key)
      const bare = key === 'classRef' && isJsonObject(member) ? { ...member, uid: undefined } : member
      return [key, withoutClassUid(bare)]
    }),
  )
}

const one = (name: string): KubeObject => example(name)[0] as KubeObject
const withoutForce = (definition: KubeObject): KubeObject =>
  changed(definition, (copy) => delete (copy['spec'] as Record<string, unknown>)['forceComposition'])
const withoutResource = (given: KubeObject): KubeObject =>
  changed(given, (copy) => delete (copy['spec'] as Record<string, Record<string, unknown>>)['infrastructure']?.['resourceRef'])

const PUBLICATION = '002/768-779'
const ACCOUNT = mayDoEverything('crossplane-system', 'mysqlinstances.database.example.org')

describe('weft render agrees with the server, object by object', () => {
  test('000:455-577: an aggregate of three', async () => {
    const client = await startWorld('azure')
    expect(await agree(client, [...example('000/455-551'), ...example('000/560-577')])).toEqual([
      'AggregateResource',
      'MySQLServerVirtualNetworkRule',
      'ResourceGroup',
      'SQLServer',
    ])
  })

  test.each([
    ['001/160-258', ['CloudSQLInstance']],
    ['001/275-386', ['CompositeResource', 'ResourceGroup', 'MySQLServer', 'MySQLServerVirtualNetworkRule']],
    ['001/514-643', ['CompositeResource', 'GKECluster', 'NodePool', 'NodePool', 'NodePool']],
  ])('%s: flexible classes', async (name, kinds) => {
    const client = await startWorld('gcp', 'azure')
    const claims = [
      claimKind('database.example.org', 'MySQLInstance', 'mysqlinstances'),
      claimKind('compute.example.org', 'KubernetesCluster', 'kubernetesclusters'),
    ]
    expect(await agree(client, [...claims, ...example(name)])).toEqual(kinds)
  })

  test('002:87-118: a typed class', async () => {
    const client = await startWorld('gcp')
    expect(await agree(client, example('002/087-118'))).toEqual(['CloudSQLInstance'])
  })

  test('002:351-833: a composite and a requirement', async () => {
    const client = await startWorld('azure')
    const members = ['ResourceGroup', 'MySQLServer', 'MySQLServerVirtualNetworkRule']
    const platform = [ACCOUNT, withoutForce(one('002/602-666')), one('002/351-449'), one(PUBLICATION)]
    const composite = changed(
      one('002/674-736'),
      (copy) => delete (copy['spec'] as Record<string, Record<string, unknown>>)['infrastructure']?.['composedRefs'],
    )
    expect(await agree(client, [...platform, composite, withoutResource(one('002/787-833'))])).toEqual([
      ...members,
      'MySQLInstance',
      ...members,
    ])
  })

  test('nesting, defaults of schemas, and every kind of class', async () => {
    const client = await startWorld('nop')
    const claims = TIERS.map((tier) => claim(tier, tier))
    const composites = [...COMPOSITIONS, undefined].flatMap((by, i) => [
      database(`d${i}`, { region: 'west' }, by),
      requirement(`r${i}`, { size: i + 2 }, by),
    ])
    const made = await agree(client, [...PLATFORM, ...claims, ...composites])
    expect(new Set(made)).toEqual(new Set(['NopResource', 'AggregateResource', 'CompositeResource', 'Database', 'Network']))
  })

  // Of class-selection only the claim that leaves no choice; multi-cloud is nothing but choice, and activation asks for nothing.
  test.each([
    { folder: 'postgresql', providers: ['postgresql'], kinds: ['PostgreSQLServer'] },
    { folder: 'class-selection', providers: ['gcp', 'azure'], kinds: ['Redis'], only: 'in-azure' },
    {
      folder: 'aggregates',
      providers: ['azure'],
      kinds: ['AggregateResource', 'MySQLServerVirtualNetworkRule', 'ResourceGroup', 'SQLServer'],
    },
    {
      folder: 'flexible-claims',
      providers: ['gcp', 'azure'],
      kinds: ['CloudSQLInstance', 'CompositeResource', 'ResourceGroup', 'MySQLServer', 'MySQLServerVirtualNetworkRule'],
    },
    { folder: 'composition', providers: ['gcp', 'azure'], kinds: ['MySQLDatabase', 'ResourceGroup', 'MySQLServer'] },
    {
      folder: 'nested',
      providers: ['gcp'],
      kinds: ['Network', 'Network', 'Subnetwork', 'Network', 'Network', 'Subnetwork', 'CloudSQLInstance'],
    },
    {
      folder: 'wordpress',
      providers: ['postgresql'],
      kinds: ['ConfigMap', 'PostgreSQLInstanceRequirement', 'PostgreSQLInstance', 'PostgreSQLServer', 'Role', 'Database'],
    },
  ])('examples/$folder', async ({ folder, providers, kinds, only }) => {
    const client = await startWorld(...providers)
    const files = readdirSync(join(EXAMPLES, folder)).filter((file) => file.endsWith('.yaml') && file !== 'broken.yaml')
    const objects = files.flatMap((file) =>
      parseAllDocuments(readFileSync(join(EXAMPLES, folder, file), 'utf8')).map((document) => document.toJS() as KubeObject),
    )
    const asked = objects.filter(({ metadata }) => only === undefined || metadata.namespace === undefined || metadata.name === only)
    expect(await agree(client, asked)).toEqual(kinds)
  })
})
