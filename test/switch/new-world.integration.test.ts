import { readFileSync } from 'node:fs'
import { findCondition, gvkOf, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { eventually, recording, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Difference, differences } from './differences.ts'
import { canonical } from './new-world.ts'

/** What Weft makes of the recorded input is what Crossplane made of it: names, labels, annotations, owners, owners of fields, conditions. */
const [input, output] = [recording('world-input.yaml'), recording('world.json')]
const GROUP = 'world.example.org'

describe.skipIf(input === undefined || output === undefined)('a world made anew', () => {
  let plane: TestControlPlane
  const recorded = output === undefined ? [] : (JSON.parse(readFileSync(output, 'utf8')) as { items: readonly KubeObject[] }).items

  beforeAll(async () => {
    plane = await startControlPlane()
    for (const phase of phasesOf(readFileSync(input ?? '', 'utf8'))) {
      for (const object of phase.filter(isPortable)) await eventually(() => plane.client.apply(object, { fieldManager: 'kubectl' }))
      // Left to settle: what was asked for has been answered.
      await eventually(
        async () => {
          for (const object of phase.filter(({ apiVersion }) => apiVersion.startsWith(`${GROUP}/`)))
            expect(answer(await live(object))).toEqual(answer(twin(object)))
          for (const { metadata } of phase.filter(({ kind }) => kind === 'Composition'))
            expect(await revisions(metadata.name ?? '')).toBeGreaterThan(0)
        },
        { timeoutMs: 100_000 },
      )
    }
  })
  afterAll(() => plane.stop())

  /** What is in use was tried to delete at the end. */
  const tryToDelete = async (): Promise<void> => {
    for (const { apiVersion, kind, metadata } of recorded.filter(isTried)) {
      const { name = '', namespace } = metadata
      await eventually(async () => {
        await expect(plane.client.delete(gvkOf({ apiVersion, kind }), { name, namespace })).rejects.toMatchObject({ code: 409 })
      })
    }
  }

  const live = async ({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): Promise<KubeObject | undefined> =>
    plane.client.find(gvkOf({ apiVersion, kind }), { name, namespace })
  const twin = ({ kind, metadata: { name, namespace } }: KubeObject): KubeObject | undefined =>
    recorded.find(
      (each) =>
        each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace && each.apiVersion.startsWith(GROUP),
    )
  const revisions = async (composition: string): Promise<number> =>
    (await plane.client.list(REVISION, { labels: { matchLabels: { 'crossplane.io/composition-name': composition } } })).items.length

  const KINDS = [...new Map(recorded.filter(isCompared).map((object) => [`${object.apiVersion} ${object.kind}`, gvkOf(object)])).values()]
  const made = async (): Promise<ReadonlyMap<string, unknown>> =>
    canonical(
      (
        await Promise.all(
          KINDS.map(async (kind) =>
            (await plane.client.list(kind)).items.map((item) => ({
              ...item,
              apiVersion: [kind.group, kind.version].filter(Boolean).join('/'),
              kind: kind.kind,
            })),
          ),
        )
      )
        .flat()
        .filter(isCompared),
    )

  test('is the one that Crossplane made', async () => {
    await tryToDelete()
    const theirs = canonical(recorded.filter(isCompared))
    expect(theirs.size).toBeGreaterThan(150)
    await eventually(
      async () => {
        const ours = await made()
        expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort())
        const unlike: Record<string, readonly Difference[]> = {}
        for (const [place, object] of theirs) {
          const found = differences(object as KubeObject, ours.get(place) as KubeObject).filter(({ path }) => !isProviders(place, path))
          if (found.length > 0) unlike[place] = found
        }
        expect(unlike).toEqual({})
      },
      { timeoutMs: 100_000, intervalMs: 1_000 },
    )
  })
})

const REVISION = { group: 'apiextensions.crossplane.io', version: 'v1', kind: 'CompositionRevision' }

const isTried = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.['usage.crossplane.io/deletion-attempt-with-policy'] !== undefined

const answer = (object: KubeObject | undefined): unknown =>
  object === undefined ? undefined : ['Synced', 'Ready'].map((type) => findCondition(conditionsOf(object), type)?.status)

const phasesOf = (text: string): readonly (readonly KubeObject[])[] =>
  text
    .split(/^# -+ phase .*$/m)
    .slice(1)
    .map((phase) =>
      parseAllDocuments(phase)
        .map((document) => document.toJS() as KubeObject | null)
        .filter((object) => object !== null),
    )

/** The provider of nothing comes with Weft, under the same kinds; mirrors of packages are not needed for what is built in. */
const isPortable = ({ kind }: KubeObject): boolean => kind !== 'Provider' && kind !== 'ImageConfig'

/** Composites, claims, revisions, and what they are composed of. */
function isCompared({ apiVersion, kind, metadata }: KubeObject): boolean {
  if (apiVersion.startsWith(`${GROUP}/`) || kind === 'Composition' || kind === 'CompositionRevision' || kind === 'NopResource') return true
  return (kind === 'ConfigMap' || kind === 'Secret') && (metadata.ownerReferences ?? []).length > 0
}

/** What a provider fills in and writes on its own resources is the provider's. */
const isProviders = (place: string, path: string): boolean =>
  /NopResource/.test(place.split(' > ').at(-1) ?? '') &&
  /^status\b|^spec\.(providerConfigRef|managementPolicies|deletionPolicy)|^metadata\.(finalizers|annotations\.(weft\.dev|crossplane\.io\/external))/.test(
    path,
  )
