import type { JsonObject, KubeObject } from '@weft/api'
import { type Client, type Kind, NoMatchError, type ObjectRef } from '@weft/client'
import { seededRandom } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { resolveReferences } from './resolve-references.ts'
import { targetsFrom } from './targets.ts'

const GROUP = 'compute.example.org'

const network = (name: string, metadata: object = {}, spec: object = {}): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Network',
  metadata: { name, uid: `uid-${name}`, ...metadata },
  spec,
})

const subnet = (spec: JsonObject, metadata: object = {}): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Subnet',
  metadata: { name: 'subnet', uid: 'uid-subnet', ...metadata },
  spec,
})

/** Only what the resolver asks for. */
function clientWith(objects: readonly KubeObject[], served: readonly string[] = ['Network']): Client {
  const of = ({ kind, group }: Kind): readonly KubeObject[] => {
    if (!served.includes(kind)) throw new NoMatchError({ group, kind })
    return objects.filter((object) => object.kind === kind)
  }
  return {
    find: (kind: Kind, ref: ObjectRef) => Promise.resolve().then(() => of(kind).find(({ metadata }) => metadata.name === ref.name)),
    list: (kind: Kind) => Promise.resolve().then(() => ({ apiVersion: 'v1', kind: 'List', metadata: {}, items: of(kind) })),
  } as unknown as Client
}

const targets = targetsFrom([
  {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'ResourceReferenceDefinition',
    metadata: { name: 'n' },
    spec: {
      field: 'network',
      targets: [
        { group: GROUP, kind: 'Network' },
        { group: GROUP, kind: 'LegacyNetwork' },
      ],
    },
  },
])({ group: GROUP, kind: 'Subnet' })

const resolve = (resource: KubeObject, objects: readonly KubeObject[], seed = 1) =>
  resolveReferences(resource, { client: clientWith(objects), random: seededRandom(seed), targets })

describe('resolveReferences', () => {
  it('A16: a reference always sets the value again, to the external name (B27)', async () => {
    const target = network('net', { annotations: { 'crossplane.io/external-name': 'real-net' } })
    const { resource, error } = await resolve(subnet({ network: 'stale', networkRef: { name: 'net' } }), [target])
    expect(error).toBeUndefined()
    expect(resource['spec']).toEqual({ network: 'real-net', networkRef: { name: 'net' } })
  })

  it('A16: a selector sets the reference, which sets the value; with a reference it is ignored', async () => {
    const objects = [network('a', { labels: { tier: 'x' } }), network('b', { labels: { tier: 'y' } })]
    const selected = await resolve(subnet({ forProvider: { networkSelector: { matchLabels: { tier: 'y' } } } }), objects)
    expect(selected.resource['spec']).toMatchObject({ forProvider: { networkRef: { name: 'b' }, network: 'b' } })
    const fixed = await resolve(subnet({ networkRef: { name: 'a' }, networkSelector: { matchLabels: { tier: 'y' } } }), objects)
    expect(fixed.resource['spec']).toMatchObject({ network: 'a', networkRef: { name: 'a' } })
  })

  it('A16: among several matches one is chosen at random, each of them sometimes', async () => {
    const objects = ['a', 'b', 'c'].map((name) => network(name))
    const chosen = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const { resource } = await resolve(subnet({ networkSelector: {} }), objects, seed)
      chosen.add(String((resource['spec'] as JsonObject)['network']))
    }
    expect([...chosen].toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('A16: deleting the reference chooses again', async () => {
    const { resource } = await resolve(subnet({ network: 'gone', networkSelector: {} }), [network('new')])
    expect(resource['spec']).toMatchObject({ network: 'new', networkRef: { name: 'new' } })
  })

  it.each([
    {
      reason: 'A15: same aggregate',
      selector: { matchAggregate: true },
      spec: { aggregateRef: { apiVersion: 'a/v1', kind: 'A', name: 'mine' } },
    },
    {
      reason: 'F17: same composite',
      selector: { matchComposite: true },
      spec: { compositeRef: { apiVersion: 'a/v1', kind: 'A', name: 'mine' } },
    },
  ])('$reason', async ({ selector, spec }) => {
    const other = Object.fromEntries(Object.entries(spec).map(([key, ref]) => [key, { ...ref, name: 'theirs' }]))
    const { resource } = await resolve(subnet({ networkSelector: selector, ...spec }), [
      network('theirs', {}, other),
      network('ours', {}, spec),
    ])
    expect(resource['spec']).toMatchObject({ network: 'ours' })
  })

  it.each([
    { reason: 'the object is not there yet', spec: { networkRef: { name: 'later' } }, code: 'NotFound' },
    { reason: 'nothing matches yet', spec: { networkSelector: { matchLabels: { a: 'b' } } }, code: 'NoMatch' },
  ])('says so when $reason, and leaves the field alone', async ({ spec, code }) => {
    const { resource, error } = await resolve(subnet(spec), [network('net')])
    expect(error?.code).toBe(code)
    expect(resource['spec']).toEqual(spec)
  })

  it('resolves what it can although something else cannot be', async () => {
    const { resource, error } = await resolve(
      subnet({ interfaces: [{ networkRef: { name: 'later' } }, { networkRef: { name: 'net' } }] }),
      [network('net')],
    )
    expect(error?.code).toBe('NotFound')
    expect(resource['spec']).toEqual({ interfaces: [{ networkRef: { name: 'later' } }, { networkRef: { name: 'net' }, network: 'net' }] })
  })

  it('leaves fields alone that no data knows, and answers the very same resource when nothing changes', async () => {
    const unknown = subnet({ planetRef: { name: 'mars' }, network: 'net', networkRef: { name: 'net' } })
    expect((await resolve(unknown, [network('net')])).resource).toBe(unknown)
  })

  it('waits for the next of that name when what is referred to is going away', async () => {
    const leaving = network('net', { deletionTimestamp: 'now' })
    const { resource, error } = await resolve(subnet({ networkRef: { name: 'net' } }), [leaving])
    expect(error).toMatchObject({ code: 'NotFound', awaited: { name: 'net' } })
    expect(error?.message).toBe('spec.networkRef: Network.compute.example.org net is being deleted')
    expect(resource['spec']).toEqual({ networkRef: { name: 'net' } })
  })

  it.each([
    { reason: 'has it already', from: subnet({ network: 'net', networkRef: { name: 'net' } }) },
    { reason: 'goes itself', from: subnet({ networkRef: { name: 'net' } }, { deletionTimestamp: 'now' }) },
  ])('does not make a resource wait that $reason', async ({ from }) => {
    const { resource, error } = await resolve(from, [network('net', { deletionTimestamp: 'now' })])
    expect(error).toBeUndefined()
    expect(resource['spec']).toMatchObject({ network: 'net' })
  })

  it('does not choose what is going away', async () => {
    const { resource } = await resolve(subnet({ networkSelector: {} }), [
      network('leaving', { deletionTimestamp: 'now' }),
      network('staying'),
    ])
    expect(resource['spec']).toMatchObject({ network: 'staying' })
  })
})
