import { type GroupKind, type KubeObject, requirementsOf } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { buildTable } from '../bindings-table/table.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import type { KnownClasses } from '../claim/services.ts'
import type { Wish } from '../claim/wish.ts'
import { aggregatedClasses } from './aggregated-classes.ts'
import { candidatesOf } from './candidates.ts'
import { compatibleClasses, explainUndecided } from './explain.ts'

const SQL: GroupKind = { group: 'database.example.org', kind: 'MySQLInstance' }
const BUCKET: GroupKind = { group: 'storage.example.org', kind: 'Bucket' }
const SERVER_CLASS: GroupKind = { group: 'cloud.example.org', kind: 'ServerClass' }
const NETWORK_CLASS: GroupKind = { group: 'cloud.example.org', kind: 'NetworkClass' }
const GOLD = { tier: 'gold' }
const wish: Wish = { type: 'selector', requirements: requirementsOf({ matchLabels: GOLD }) }

const definition = (name: string, classKind: GroupKind, managed: string, type = 'Direct'): KubeObject => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'ResourceBindingDefinition',
  metadata: { name },
  spec: { claim: SQL, class: classKind, managed: { group: 'cloud.example.org', version: 'v1', kind: managed }, type },
})
const classOf = ({ group, kind }: GroupKind, name: string, more: Record<string, unknown> = {}, labels: object = GOLD): KubeObject => ({
  apiVersion: `${group}/v1alpha1`,
  kind,
  metadata: { name, labels: { ...labels } },
  ...more,
})
const aggregate = (name: string, matchLabels: Record<string, string> | undefined): KubeObject =>
  classOf(AGGREGATE_CLASS, name, { aggregationRule: { classSelector: { ...(matchLabels && { matchLabels }) } } })
const flexible = (kind: GroupKind, name: string, claim: GroupKind | undefined): KubeObject =>
  classOf(kind, name, { spec: claim === undefined ? {} : { claim: { apiVersion: `${claim.group}/v1`, kind: claim.kind } } })

/** Everything that is known, as controllers know it: a table, and classes by kind; `absent` is a kind that is not in memory yet. */
function known(classes: readonly KubeObject[], absent?: GroupKind): KnownClasses {
  const ofKind = (kind: GroupKind) => classes.filter((each) => each.kind === kind.kind)
  const table = buildTable({
    definitions: [definition('network', NETWORK_CLASS, 'Network', 'Supporting'), definition('server', SERVER_CLASS, 'Server')],
    resourceClasses: ofKind(RESOURCE_CLASS),
    compositeClasses: ofKind(COMPOSITE_CLASS),
  })
  return {
    table: () => table,
    watches: { reader: (kind) => (absent !== undefined && sameKind(kind, absent) ? undefined : { list: () => ofKind(kind) }) },
  }
}
const names = (classes: readonly KubeObject[] | undefined) => classes?.map(({ metadata }) => metadata.name)
const claim: KubeObject = {
  apiVersion: 'database.example.org/v1',
  kind: 'MySQLInstance',
  metadata: { name: 'sql', namespace: 'default' },
  spec: { classSelector: { matchLabels: GOLD } },
}

describe('candidates of one kind of class', () => {
  const candidates = (classKind: GroupKind, services: KnownClasses) => names(candidatesOf(services, { claim: SQL, class: classKind }, wish))

  test('S6: those that answer the wish, and no others', () => {
    const services = known([classOf(SERVER_CLASS, 'a'), classOf(SERVER_CLASS, 'b', {}, { tier: 'iron' })])
    expect(candidates(SERVER_CLASS, services)).toEqual(['a'])
  })

  test('S11: a kind that is not in memory is not one without classes', () => {
    expect(candidates(SERVER_CLASS, known([], SERVER_CLASS))).toBeUndefined()
    expect(candidates(SERVER_CLASS, known([]))).toEqual([])
  })

  test('A11, A12: an aggregate class counts when it stands for a class from which the claim could be satisfied directly', () => {
    const services = known([
      aggregate('direct', { part: 'server' }),
      aggregate('supporting', { part: 'network' }),
      aggregate('both', { of: 'all' }),
      aggregate('nothing', { part: 'none' }),
      classOf(SERVER_CLASS, 's', {}, { part: 'server', of: 'all' }),
      classOf(NETWORK_CLASS, 'n', {}, { part: 'network', of: 'all' }),
    ])
    expect(candidates(AGGREGATE_CLASS, services)).toEqual(['direct', 'both'])
  })

  test.each([RESOURCE_CLASS, COMPOSITE_CLASS])('F3, F4: a $kind counts for the kind of claim that it names', (kind) => {
    const services = known([flexible(kind, 'ours', SQL), flexible(kind, 'theirs', BUCKET), flexible(kind, 'nobodys', undefined)])
    expect(candidates(kind, services)).toEqual(['ours'])
    expect(names(compatibleClasses(services, SQL))).toEqual(['ours'])
  })
})

describe('what an aggregate class stands for', () => {
  test('A4, A11: in the order of the rows, then of names; none that is being deleted', () => {
    const going = classOf(SERVER_CLASS, 'aa')
    const services = known([
      classOf(SERVER_CLASS, 'b'),
      classOf(SERVER_CLASS, 'c'),
      classOf(SERVER_CLASS, 'a'),
      classOf(SERVER_CLASS, 'other', {}, { tier: 'iron' }),
      { ...going, metadata: { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
      classOf(NETWORK_CLASS, 'z'),
    ])
    const found = aggregatedClasses(services, SQL, aggregate('all', GOLD))
    expect(found.map(({ classObject, row }) => [classObject.metadata.name, row.managed.kind, row.direct])).toEqual([
      ['z', 'Network', false],
      ['a', 'Server', true],
      ['b', 'Server', true],
      ['c', 'Server', true],
    ])
  })

  test('A2: one that asks for no label stands for nothing', () => {
    const services = known([classOf(SERVER_CLASS, 'a')])
    expect(aggregatedClasses(services, SQL, aggregate('empty', {}))).toEqual([])
    expect(aggregatedClasses(services, SQL, aggregate('none', undefined))).toEqual([])
    expect(aggregatedClasses(services, SQL, classOf(AGGREGATE_CLASS, 'no-rule'))).toEqual([])
  })

  test('A4: claims of a kind without rows get nothing from it', () => {
    expect(aggregatedClasses(known([classOf(SERVER_CLASS, 'a')]), BUCKET, aggregate('all', GOLD))).toEqual([])
  })
})

describe('why nobody has decided', () => {
  const why = (classes: readonly KubeObject[], spec: unknown = claim['spec']) => explainUndecided(known(classes), { ...claim, spec })

  test('somebody is about to: a class answers', () => {
    expect(why([classOf(SERVER_CLASS, 'a')])).toBeUndefined()
    expect(why([aggregate('all', GOLD), classOf(SERVER_CLASS, 'a')])).toBeUndefined()
  })

  test('the only class that answers stands for nothing that would do', () => {
    expect(why([aggregate('hollow', { part: 'none' })])).toBe(
      'AggregateResourceClass hollow includes no class that could satisfy a MySQLInstance',
    )
  })

  test('no class answers the selector, or there is no default', () => {
    expect(why([classOf(SERVER_CLASS, 'a', {}, { tier: 'iron' })])).toContain('ServerClass/a (tier is iron)')
    expect(why([classOf(SERVER_CLASS, 'a')], {})).toContain('there is no default class for this kind of claim')
  })

  test('S17: the wish itself cannot be read', () => {
    expect(why([classOf(SERVER_CLASS, 'a')], { classSelector: {} })).toContain('classSelector')
  })
})
