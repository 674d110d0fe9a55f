import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { compositionRevisionKind } from '../revision/kinds.ts'
import { machineryOf } from './machinery.ts'
import { pipelineOf, xr } from './platform.fixture.ts'
import { type KnownCompositions, mustBeValid, selectComposition, selectRevision, selectRevisionSelector } from './select.ts'
import type { XrSettings } from './settings.ts'

const SETTINGS: XrSettings = {
  scope: 'Cluster',
  enforced: undefined,
  fallback: undefined,
  revisionLabels: undefined,
  connectionKeys: [],
  keepsRequests: false,
}
const stall = (crossplane: object = {}): KubeObject => xr('Stall', 'one', { crossplane })
const plan = (name: string, labels: Record<string, string> = {}, kind = 'Stall'): KubeObject => {
  const composition = pipelineOf(name, kind, {}, { labels })
  return { ...composition, metadata: { ...composition.metadata, uid: `uid-${name}` } }
}
const revision = (composition: string, number: number, labels: Record<string, string> = {}, uid = `uid-${composition}`): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: compositionRevisionKind.kind,
  metadata: {
    name: `${composition}-${number}`,
    labels: { 'crossplane.io/composition-name': composition, ...labels },
    ownerReferences: [{ apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: composition, uid, controller: true }],
  },
  spec: { revision: number },
})
const known = (...objects: readonly KubeObject[]): KnownCompositions => {
  const compositions = objects.filter(({ kind }) => kind === 'Composition')
  const revisions = objects.filter(({ kind }) => kind === compositionRevisionKind.kind)
  return {
    composition: (name) => compositions.find(({ metadata }) => metadata.name === name),
    compositions: () => compositions,
    revision: (name) => revisions.find(({ metadata }) => metadata.name === name),
    revisionsOf: (name) => revisions.filter(({ metadata }) => metadata.labels?.['crossplane.io/composition-name'] === name),
  }
}
const last = (): number => 0.999

describe('K45: which Composition', () => {
  const world = known(plan('a', { tier: 'small' }), plan('b', { tier: 'large' }), plan('c', { tier: 'large' }, 'Shop'))
  const chosen = (crossplane: object, settings: Partial<XrSettings> = {}): string | undefined =>
    machineryOf(selectComposition(stall(crossplane), { ...SETTINGS, ...settings }, world, last), 'Cluster').compositionRef?.name

  test.each<[string, object, Partial<XrSettings>, string]>([
    ['the one that is enforced, whatever it says', { compositionRef: { name: 'a' } }, { enforced: 'b', fallback: 'c' }, 'b'],
    ['the one that it names, even if nobody knows it', { compositionRef: { name: 'later' } }, { fallback: 'b' }, 'later'],
    [
      'the one that it has, though the selector is another now',
      { compositionRef: { name: 'a' }, compositionSelector: { matchLabels: { tier: 'large' } } },
      {},
      'a',
    ],
    ['that of its definition', {}, { fallback: 'a' }, 'a'],
    ['by a selector rather than that', { compositionSelector: { matchLabels: { tier: 'large' } } }, { fallback: 'a' }, 'b'],
    ['any of its type', {}, {}, 'b'],
  ])('%s', (_, crossplane, settings, name) => {
    expect(chosen(crossplane, settings)).toBe(name)
  })

  test('none of another type, though it has the labels', () => {
    const world = known(plan('c', { tier: 'large' }, 'Shop'))
    expect(() => selectComposition(stall(), SETTINGS, world, last)).toThrow('cannot select Composition: no compatible Compositions found')
  })
})

test('K47: the definition says which revisions, where the composite says nothing', () => {
  const settings = { ...SETTINGS, revisionLabels: { channel: 'stable' } }
  const selector = { matchLabels: { channel: 'beta' } }
  const after = (crossplane: object): object | undefined =>
    machineryOf(selectRevisionSelector(stall(crossplane), settings), 'Cluster').compositionRevisionSelector
  expect(after({})).toEqual({ matchLabels: { channel: 'stable' } })
  expect(after({ compositionRevisionSelector: selector })).toEqual(selector)
  expect(after({ compositionRevisionRef: { name: 'plan-1' } })).toBeUndefined()
})

describe('K48: which revision', () => {
  const world = known(
    plan('plan'),
    plan('new'),
    revision('plan', 1, { channel: 'stable' }),
    revision('plan', 2),
    revision('plan', 9, {}, 'of-one-that-was-deleted'),
    revision('other', 5),
  )
  const chosen = (crossplane: object): string | undefined => {
    const { xr: after, revision } = selectRevision(stall({ compositionRef: { name: 'plan' }, ...crossplane }), SETTINGS, world)
    expect(machineryOf(after, 'Cluster').compositionRevisionRef).toEqual({ name: revision.metadata.name })
    return revision.metadata.name
  }
  const stable = { compositionRevisionSelector: { matchLabels: { channel: 'stable' } } }

  test.each<[string, object, string]>([
    ['the latest that the Composition controls', { compositionUpdatePolicy: 'Automatic' }, 'plan-2'],
    [
      'the latest rather than the one it has',
      { compositionUpdatePolicy: 'Automatic', compositionRevisionRef: { name: 'plan-1' } },
      'plan-2',
    ],
    ['the latest with the labels', { compositionUpdatePolicy: 'Automatic', ...stable }, 'plan-1'],
    [
      'by hand, the one it names, of whatever Composition',
      { compositionUpdatePolicy: 'Manual', compositionRevisionRef: { name: 'other-5' } },
      'other-5',
    ],
    ['by hand, the latest once, whatever its labels', { compositionUpdatePolicy: 'Manual', ...stable }, 'plan-2'],
  ])('%s', (_, crossplane, name) => {
    expect(chosen(crossplane)).toBe(name)
  })

  test.each<[string, object, string]>([
    [
      'none has the labels',
      { compositionUpdatePolicy: 'Automatic', compositionRevisionSelector: { matchLabels: { channel: 'beta', zone: 'x' } } },
      'no compatible CompositionRevisions found: none of Composition "plan" has the labels channel=beta, zone=x',
    ],
    ['there is none yet', { compositionRef: { name: 'new' } }, 'no compatible CompositionRevisions found: Composition "new" has none yet'],
    [
      'the one it names is gone',
      { compositionUpdatePolicy: 'Manual', compositionRevisionRef: { name: 'gone' } },
      'cannot get CompositionRevision: CompositionRevision.apiextensions.crossplane.io "gone" not found',
    ],
  ])('%s: it says so', (_, crossplane, words) => {
    expect(() => chosen(crossplane)).toThrow(`cannot fetch Composition: ${words}`)
  })

  test('the very same composite where nothing changes', () => {
    const given = stall({ compositionRef: { name: 'plan' }, compositionRevisionRef: { name: 'plan-2' } })
    expect(selectRevision(given, SETTINGS, world).xr).toBe(given)
  })
})

test('K44: a pipeline that is not valid is not run, with the reason that its revision gives', () => {
  const judged = (status: string, message?: string): KubeObject =>
    ({
      ...revision('plan', 1),
      status: { conditions: [{ type: 'ValidPipeline', status, reason: 'R', ...(message && { message }) }] },
    }) as KubeObject
  expect(() => mustBeValid(revision('plan', 1))).not.toThrow()
  expect(() => mustBeValid(judged('True'))).not.toThrow()
  expect(() => mustBeValid(judged('False', 'maker cannot compose'))).toThrow(
    /plan-1 does not have a valid function pipeline: maker cannot compose$/,
  )
  expect(() => mustBeValid(judged('False'))).toThrow(/pipeline status unknown$/)
})
