import type { KubeObject } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { event as coreEvent } from '../core/event.ts'
import { arbitraryOf } from '../../protobuf/arbitrary.test-data.ts'
import { eventFromStored, eventToStored, eventsKinds } from './kinds.ts'

const [event] = eventsKinds
if (event === undefined) throw new Error('no kind')

const good: KubeObject = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'ns' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'weft.io/controller',
  reportingInstance: 'weft-0',
  action: 'Bind',
  reason: 'Bound',
  regarding: { kind: 'Claim', namespace: 'ns', name: 'c' },
  note: 'It is bound.',
  type: 'Normal',
}
const paths = (errors: readonly { path: string }[]): string[] => errors.map(({ path }) => path)

describe('two views of one event', () => {
  it('keeps every field on the way to storage and back', () => {
    fc.assert(
      fc.property(arbitraryOf(event.message), (fields) => {
        const object = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: {}, ...fields } as KubeObject
        expect(eventFromStored(eventToStored(object))).toEqual(object)
      }),
    )
  })

  it('stores the core form', () => {
    expect(eventToStored(good)).toMatchObject({
      apiVersion: 'v1',
      involvedObject: { name: 'c' },
      message: 'It is bound.',
      reportingComponent: 'weft.io/controller',
    })
    expect(event.storedAs).toMatchObject({ group: '', version: 'v1', kind: 'Event' })
  })

  it('shows the same table and selects by its own names', () => {
    const now = Date.UTC(2026, 0, 1, 0, 2, 30)
    const row = (kind: typeof event, object: KubeObject): unknown[] => kind.columns.map((column) => column.cell(object, now))
    expect(row(event, good)).toEqual([
      '2m30s',
      'Normal',
      'Bound',
      'claim/c',
      '',
      'weft.io/controller, weft-0',
      'It is bound.',
      '2m30s',
      1,
      'e',
    ])
    expect(row(coreEvent, eventToStored(good))).toEqual(row(event, good))
    expect(event.selectableFields['regarding.name']?.(good)).toBe('c')
    expect(coreEvent.selectableFields['source']?.(eventToStored(good))).toBe('weft.io/controller')
  })
})

describe('checks', () => {
  it.each<{ reason: string; change: object; errors: string[] }>([
    { reason: 'a good one', change: {}, errors: [] },
    { reason: 'no time', change: { eventTime: null }, errors: ['eventTime'] },
    { reason: 'a type of its own', change: { type: 'Info' }, errors: ['type'] },
    { reason: 'no action', change: { action: '' }, errors: ['action'] },
    { reason: 'a note that is too long', change: { note: 'x'.repeat(1025) }, errors: ['message'] },
    { reason: 'a count of old', change: { deprecatedCount: 2 }, errors: ['count'] },
    { reason: 'a series of one', change: { series: { count: 1 } }, errors: ['series.count', 'series.lastObservedTime'] },
  ])('events.k8s.io: $reason', ({ change, errors }) => {
    expect(paths(event.strategy.validate({ ...good, ...change }))).toEqual(errors)
  })

  it('lets only the series change through events.k8s.io', () => {
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }
    expect(event.strategy.validateUpdate({ ...good, series }, good)).toEqual([])
    expect(paths(event.strategy.validateUpdate({ ...good, note: 'other', reportingController: 'x.io/y' }, good))).toEqual([
      'message',
      'reportingController',
    ])
  })

  it('checks little of core events: the namespace must be the object’s', () => {
    const old = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'ns' },
      involvedObject: { kind: 'Pod', namespace: 'ns', name: 'p' },
    }
    expect(coreEvent.strategy.validate(old)).toEqual([])
    expect(paths(coreEvent.strategy.validate({ ...old, involvedObject: { namespace: 'other' } }))).toEqual(['involvedObject.namespace'])
    expect(coreEvent.strategy.validate({ ...old, metadata: { name: 'e', namespace: 'default' }, involvedObject: {} })).toEqual([])
  })
})
