import { type KubeObject, type ManagedFieldsEntry, type Schema, withMeta } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { fieldsNamed } from './fields/field-set.ts'
import { revertTimestamps } from './revert-timestamps.ts'
import { trackUpdate, type UpdateRequest } from './track-update.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    names: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' } } },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}
const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
const context = { apiVersion: 'v1', schema, builtIn: true, time: at(0) }
const object = (data: Record<string, string>, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data,
  ...more,
})

const stored = (result: KubeObject): KubeObject => withMeta(result, { uid: '1' })
const create = (next: KubeObject, manager: string, more: Partial<UpdateRequest> = {}): KubeObject =>
  stored(trackUpdate({ ...context, live: undefined, next, manager, ...more }))
const update = (live: KubeObject, data: Record<string, string>, manager: string, more: Partial<UpdateRequest> = {}): KubeObject =>
  trackUpdate({ ...context, live, next: { ...live, data }, manager, ...more })
const owners = (result: KubeObject): Record<string, unknown> =>
  Object.fromEntries((result.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager ?? '', fieldsV1]))
const entry = (manager: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry =>
  ({ manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, ...more }) as ManagedFieldsEntry

describe('trackUpdate', () => {
  it('gives a new object to who creates it', () => {
    const result = create(object({ k: 'v' }, { metadata: { name: 'a', labels: { x: 'y' } } }), 'me')
    expect(result.metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Update',
        apiVersion: 'v1',
        time: at(0),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:k': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } },
      },
    ])
    expect(JSON.stringify(Object.keys(result.metadata.managedFields?.[0] ?? {}))).toBe(
      '["manager","operation","apiVersion","time","fieldsType","fieldsV1"]',
    )
  })

  it('adds what a writer changes later to what it has', () => {
    const live = update(create(object({ a: '1' }), 'creator'), { a: '1', b: '1' }, 'me')
    expect(owners(update(live, { a: '1', b: '1', c: '1' }, 'me'))['me']).toEqual({ 'f:data': { 'f:b': {}, 'f:c': {} } })
  })

  it('names a writer without a name', () => {
    expect(create(object({ k: 'v' }), '').metadata.managedFields?.[0]?.manager).toBe('unknown')
  })

  it('moves what changes to who changes it, and takes what vanishes from everybody', () => {
    const live = create(object({ a: '1', b: '1', c: '1' }), 'creator')
    const result = update(live, { a: '2', b: '1', d: '1' }, 'editor', { time: at(1) })
    expect(owners(result)).toEqual({ creator: { 'f:data': { '.': {}, 'f:b': {} } }, editor: { 'f:data': { 'f:a': {}, 'f:d': {} } } })
  })

  it('drops owners left with nothing', () => {
    const live = create(object({ a: '1' }), 'creator')
    expect(owners(update(live, {}, 'editor'))).toEqual({ creator: { 'f:data': {} } })
    const { data: _, ...rest } = live
    expect(trackUpdate({ ...context, live, next: rest, manager: 'editor' }).metadata.managedFields).toBeUndefined()
  })

  it('leaves managedFields alone when nothing changes', () => {
    const live = create(object({ a: '1' }), 'creator')
    const echoed = JSON.parse(JSON.stringify(live)) as KubeObject
    const result = trackUpdate({ ...context, live, next: echoed, manager: 'other', time: at(9) })
    expect(result.metadata.managedFields).toBe(live.metadata.managedFields)
    const silent = trackUpdate({ ...context, live, next: withMeta(echoed, { managedFields: undefined }), manager: 'other', time: at(9) })
    expect(silent.metadata.managedFields).toBe(live.metadata.managedFields)
    expect(trackUpdate({ ...context, live, next: live, manager: 'other', time: at(9) })).toBe(live)
  })

  it('keeps the entries of others as they are, and stamps its own', () => {
    const live = update(create(object({ a: '1', b: '1' }), 'creator'), { a: '1', b: '1', c: '1' }, 'one', { time: at(1) })
    const result = update(live, { a: '1', b: '1', c: '2' }, 'one', { time: at(2) })
    expect(result.metadata.managedFields?.[0]).toBe(live.metadata.managedFields?.[0])
    expect(result.metadata.managedFields?.[1]).toEqual({ ...live.metadata.managedFields?.[1], time: at(2) })
  })

  it('tells apart what comes through a subresource', () => {
    const live = create(object({ a: '1' }), 'me')
    const next = { ...withMeta(live, { managedFields: [] }), status: { phase: 'Ready' } }
    const result = trackUpdate({ ...context, live, next, manager: 'me', subresource: 'status', time: at(1) })
    expect(result.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([undefined, 'status'])
    expect(result.metadata.managedFields?.[1]?.fieldsV1).toEqual({ 'f:status': { '.': {}, 'f:phase': {} } })
  })

  it('ignores changes to fields that the endpoint sets back', () => {
    const live = trackUpdate({
      ...context,
      live: create(object({}), 'a'),
      next: { ...object({}), status: { phase: 'x' } },
      manager: 'ctl',
      subresource: 'status',
    })
    const next = { ...live, status: { phase: 'forged' } }
    const result = trackUpdate({ ...context, live, next, manager: 'user', resetFields: fieldsNamed(['status']) })
    expect(result.metadata.managedFields).toBe(live.metadata.managedFields)
  })

  it('sorts entries: appliers first, then by time, then by name', () => {
    const sent = [
      entry('z', { 'f:data': { 'f:a': {} } }, { time: at(1) }),
      entry('b', { 'f:data': { 'f:a': {} } }, { time: at(2) }),
      entry('y', { 'f:data': { 'f:a': {} } }, { operation: 'Apply', time: at(5) }),
      entry('a', { 'f:data': { 'f:a': {} } }, { time: at(2) }),
      entry('x', { 'f:data': { 'f:a': {} } }),
    ]
    const live = create(object({ a: '1' }), 'creator')
    const result = trackUpdate({ ...context, live, next: withMeta(live, { managedFields: sent }), manager: 'me' })
    expect(result.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['y', 'x', 'z', 'a', 'b'])
  })

  it('merges the oldest of more than ten updaters', () => {
    let live = create(object({}), 'u00')
    for (let i = 1; i <= 12; i++) {
      const data = { ...(live['data'] as Record<string, string>), [`k${i}`]: 'x' }
      live = update(live, data, `u${String(i).padStart(2, '0')}`, { time: at(i) })
    }
    const entries = live.metadata.managedFields ?? []
    expect(entries.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      'u04',
      'u05',
      'u06',
      'u07',
      'u08',
      'u09',
      'u10',
      'u11',
      'u12',
    ])
    expect(entries[0]).toMatchObject({ time: at(3), fieldsV1: { 'f:data': { '.': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } } })
  })

  it('stores an object without owners when they cannot be told', () => {
    const live = create(object({ a: '1' }), 'creator')
    const next = { ...live, names: [{ value: 'no key' }] }
    expect(trackUpdate({ ...context, live, next, manager: 'me' }).metadata.managedFields).toBeUndefined()
  })

  it('is safe with keys that Object.prototype has', () => {
    const data = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}') as Record<string, string>
    const result = create(object(data), 'me')
    expect(owners(result)).toEqual({ me: { 'f:data': { '.': {}, 'f:__proto__': {}, 'f:constructor': {}, 'f:toString': {} } } })
    expect(update(result, { ...data }, 'other').metadata.managedFields).toBe(result.metadata.managedFields)
  })
})

describe('managedFields that a client sends', () => {
  const live = create(object({ a: '1', b: '1' }), 'creator')
  const send = (managedFields: readonly unknown[] | null, more: Partial<UpdateRequest> = {}): Record<string, unknown> =>
    owners(
      trackUpdate({
        ...context,
        live,
        next: withMeta(live, { managedFields: managedFields as readonly ManagedFieldsEntry[] }),
        manager: 'me',
        ...more,
      }),
    )

  it.each([
    { reason: 'an empty entry forgets all owners', sent: [{}], result: {} },
    { reason: 'so does an empty list for a built-in kind', sent: [], result: {} },
    { reason: 'valid ones are taken', sent: [entry('x', { 'f:data': { 'f:a': {} } })], result: { x: { 'f:data': { 'f:a': {} } } } },
    { reason: 'those who own nothing are dropped', sent: [entry('x', {}), entry('y', { 'f:data': {} })], result: { y: { 'f:data': {} } } },
    {
      reason: 'a bad operation makes all of them void',
      sent: [entry('x', { 'f:data': {} }), { ...entry('y', {}), operation: 'Foo' }],
      result: owners(live),
    },
    { reason: 'so does bad content', sent: [entry('x', { nonsense: {} })], result: owners(live) },
    { reason: 'so does a missing version', sent: [entry('x', {}, { apiVersion: '' })], result: owners(live) },
    { reason: 'so does an unknown fieldsType', sent: [entry('x', {}, { fieldsType: 'FieldsV2' })], result: owners(live) },
    { reason: 'null is nothing sent', sent: null, result: owners(live) },
  ])('$reason', ({ sent, result }) => {
    expect(send(sent)).toEqual(result)
  })

  it('an empty list means nothing in a custom resource', () => {
    expect(send([], { builtIn: false })).toEqual(owners(live))
  })

  it('are not taken on create', () => {
    const next = withMeta(object({ a: '1' }), { managedFields: [entry('x', { 'f:data': { 'f:a': {} } })] })
    expect(owners(create(next, 'me'))).toEqual({ me: { 'f:data': { '.': {}, 'f:a': {} } } })
  })

  it('tracking that was reset stays off for updates', () => {
    const reset = trackUpdate({ ...context, live, next: withMeta(live, { managedFields: [{}] }), manager: 'me' })
    expect(update(reset, { a: '2' }, 'me').metadata.managedFields).toBeUndefined()
  })
})

describe('versions', () => {
  // v2 calls `data` `values`.
  const convert: UpdateRequest['convert'] = ({ data, values, ...rest }, apiVersion) => {
    const fields = data ?? values
    if (apiVersion === 'v1') return { object: { ...rest, apiVersion, data: fields }, schema }
    if (apiVersion === 'v2') return { object: { ...rest, apiVersion, values: fields } }
    return undefined
  }

  it('takes fields from owners in their own version', () => {
    const live = withMeta(object({ a: '1', b: '1' }), {
      uid: '1',
      managedFields: [entry('old', { 'f:values': { 'f:a': {}, 'f:b': {} } }, { apiVersion: 'v2' })],
    })
    const result = update(live, { a: '2', b: '1' }, 'new', { convert })
    expect(owners(result)).toEqual({ old: { 'f:values': { 'f:b': {} } }, new: { 'f:data': { 'f:a': {} } } })
  })

  it('knows what is always there in other versions of a built-in kind, too', () => {
    const struct: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', default: {}, properties: { a: { type: 'string' } } } },
    }
    const rename: UpdateRequest['convert'] = (given, apiVersion) => ({ object: { ...given, apiVersion }, schema: struct })
    const live = withMeta({ ...object({}), spec: { a: '1' } } as KubeObject, {
      uid: '1',
      managedFields: [entry('old', { 'f:spec': { '.': {}, 'f:a': {} } }, { apiVersion: 'v2' })],
    })
    const { spec: _, ...next } = live as KubeObject & { spec: unknown }
    const kept = (builtIn: boolean): unknown =>
      owners(trackUpdate({ ...context, schema: struct, builtIn, convert: rename, live, next, manager: 'me' }))
    expect(kept(true)).toEqual({ old: { 'f:spec': {} } })
    expect(kept(false)).toEqual({})
  })

  it('forgets owners in a version that is gone', () => {
    const live = withMeta(object({ a: '1' }), {
      uid: '1',
      managedFields: [entry('old', { 'f:x': {} }, { apiVersion: 'v0' }), entry('now', { 'f:data': { 'f:a': {} } })],
    })
    expect(owners(update(live, { a: '1', b: '2' }, 'me', { convert }))).toEqual({
      now: { 'f:data': { 'f:a': {} } },
      me: { 'f:data': { 'f:b': {} } },
    })
  })
})

describe('revertTimestamps', () => {
  const live = create(object({ a: '1' }), 'me')
  const restamped = withMeta(live, { managedFields: live.metadata.managedFields?.map((one) => ({ ...one, time: at(9) })) })

  it('keeps old times when nothing else changed', () => {
    expect(revertTimestamps(live, restamped).metadata.managedFields).toBe(live.metadata.managedFields)
  })
  it('leaves a change of owners alone', () => {
    const [own] = restamped.metadata.managedFields ?? []
    for (const managedFields of [[{ ...own, manager: 'other' }], [own, entry('x', { 'f:data': {} })], [], undefined]) {
      const changed = withMeta(live, { managedFields: managedFields as readonly ManagedFieldsEntry[] | undefined })
      expect(revertTimestamps(live, changed)).toBe(changed)
      expect(revertTimestamps(changed, live)).toBe(live)
    }
  })
  it('leaves a real change alone', () => {
    const changed = { ...restamped, data: { a: '2' } }
    expect(revertTimestamps(live, changed)).toBe(changed)
  })
})
