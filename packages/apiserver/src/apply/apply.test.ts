import { type KubeObject, type Schema, StatusError, withMeta } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { apply, type ApplyRequest } from './apply.ts'
import { fieldsNamed } from './fields/field-set.ts'
import { lastAppliedAnnotation } from './last-applied.ts'
import { trackUpdate } from './track-update.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        struct: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
        list: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, v: { type: 'string' } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}
const at = (second: number): string => `2026-01-01T00:00:0${second}Z`
const config = (content: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'g/v1',
  kind: 'K',
  metadata: { name: 'a', ...metadata },
  ...content,
})
const context = { apiVersion: 'g/v1', kind: 'K', schema, time: at(0) }

const run = (live: KubeObject | undefined, content: object, manager: string, more: Partial<ApplyRequest> = {}): KubeObject => {
  const result = apply({ ...context, live, applied: config(content), manager, ...more })
  return result === live ? live : withMeta(result, { uid: '1' })
}
const update = (live: KubeObject, content: object, manager: string): KubeObject =>
  trackUpdate({ ...context, live, next: { ...live, ...content }, manager, time: at(1) })
const owners = (object: KubeObject): Record<string, unknown> =>
  Object.fromEntries((object.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager ?? '', fieldsV1]))
const failing = (act: () => unknown): StatusError => {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('apply', () => {
  it('creates', () => {
    const result = run(undefined, { data: { k: 'v' }, spec: { struct: { a: 'x' } } }, 'me')
    expect(result).toMatchObject({ data: { k: 'v' }, spec: { struct: { a: 'x' } } })
    expect(result.metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'g/v1',
        time: at(0),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:k': {} }, 'f:spec': { 'f:struct': { 'f:a': {} } } },
      },
    ])
  })

  it('answers the live object itself when nothing changes', () => {
    const live = run(undefined, { data: { k: 'v' } }, 'me')
    expect(run(live, { data: { k: 'v' } }, 'me', { time: at(9) })).toBe(live)
  })

  it('removes what is no longer applied', () => {
    const live = run(undefined, { data: { k: 'v', l: 'w' }, spec: { struct: { a: 'x' }, items: [{ name: 'a' }, { name: 'b' }] } }, 'me')
    const result = run(live, { data: { k: 'v' }, spec: { items: [{ name: 'b' }] } }, 'me')
    expect(result).toMatchObject({ data: { k: 'v' }, spec: { items: [{ name: 'b' }] } })
    expect(result['spec']).not.toHaveProperty('struct')
    expect(result['data']).not.toHaveProperty('l')
  })

  it('removes what it alone held with all that was in it', () => {
    const live = run(undefined, { data: { k: 'v' }, spec: { replicas: 1 } }, 'me')
    expect(run(live, { spec: { replicas: 1 } }, 'me')).not.toHaveProperty('data')
  })

  it('keeps what others own or nobody owns', () => {
    let live = run(undefined, { data: { mine: '1', ours: '1' } }, 'me')
    live = run(live, { data: { ours: '1' } }, 'they')
    live = { ...live, data: { ...(live['data'] as object), nobodys: '1' } }
    expect(run(live, {}, 'me')['data']).toEqual({ ours: '1', nobodys: '1' })
  })

  it('keeps a field that an updater has taken over', () => {
    const live = update(run(undefined, { data: { k: '1' } }, 'me'), { data: { k: '2' } }, 'editor')
    expect(run(live, {}, 'me')['data']).toEqual({ k: '2' })
  })

  it('leaves an emptied container that somebody else owns', () => {
    const live = run(
      trackUpdate({ ...context, live: undefined, next: config({ data: {} }), manager: 'editor' }),
      { data: { k: '1' } },
      'me',
    )
    // Null, which its schema refuses: so it is in Kubernetes.
    expect(run(live, {}, 'me')['data']).toBeNull()
    expect(run(live, {}, 'me', { builtIn: true })).not.toHaveProperty('data')
  })

  it('gives up ownership without removing when another applier still wants the field', () => {
    const live = run(run(undefined, { spec: { replicas: 1 } }, 'a'), { spec: { replicas: 1 } }, 'b')
    expect(owners(live)).toEqual({ a: { 'f:spec': { 'f:replicas': {} } }, b: { 'f:spec': { 'f:replicas': {} } } })
    const result = run(live, {}, 'a')
    expect(result['spec']).toEqual({ replicas: 1 })
    expect(owners(result)).toEqual({ b: { 'f:spec': { 'f:replicas': {} } } })
  })

  it('stamps an entry only when the object changes', () => {
    const live = run(undefined, { spec: { replicas: 1 } }, 'a')
    const shared = run(live, { spec: { replicas: 1 } }, 'b', { time: at(5) })
    expect(shared.metadata.managedFields).toEqual([
      { manager: 'b', operation: 'Apply', apiVersion: 'g/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      live.metadata.managedFields?.[0],
    ])
    expect(shared.metadata.managedFields?.[1]).toBe(live.metadata.managedFields?.[0])
  })

  it('says nothing about status through the main resource', () => {
    const live = run(undefined, { spec: { replicas: 1 }, status: { phase: 'forged' } }, 'me', { resetFields: fieldsNamed(['status']) })
    expect(owners(live)).toEqual({ me: { 'f:spec': { 'f:replicas': {} } } })
  })

  it('lets others own what was there before it was tracked', () => {
    const live = config({ data: { k: 'v' } }, { uid: '1' })
    const result = run(live, { data: { l: 'w' } }, 'me')
    expect(owners(result)).toEqual({ me: { 'f:data': { 'f:l': {} } }, 'before-first-apply': { 'f:data': { '.': {}, 'f:k': {} } } })
    expect(failing(() => run(live, { data: { k: 'x' } }, 'me')).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using g/v1: .data.k',
    )
  })

  it('does not prune what it never applied, nor what it applied elsewhere', () => {
    let live = run(undefined, { spec: { items: [{ name: 'x', v: '1' }], struct: { a: '1' } } }, 'me')
    live = update(live, { spec: { items: [{ name: 'x', v: '1' }, { name: 'y' }], struct: { a: '1', b: '2' } } }, 'editor')
    const result = run(live, { spec: { set: ['s'] } }, 'me')
    expect(result['spec']).toEqual({ items: [{ name: 'y' }], struct: { b: '2' }, set: ['s'] })
  })

  it('applies through a subresource as somebody else', () => {
    const live = run(undefined, { spec: { replicas: 1 } }, 'me')
    const result = run(live, { status: { phase: 'Ready' } }, 'me', { subresource: 'status' })
    expect(result).toMatchObject({ spec: { replicas: 1 }, status: { phase: 'Ready' } })
    expect(result.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([undefined, 'status'])
  })

  it('keeps the time of an entry that only gives something up', () => {
    const live = run(run(undefined, { spec: { replicas: 1 }, data: { k: 'v' } }, 'a'), { data: { k: 'v' } }, 'b', { time: at(1) })
    const result = run(live, { spec: { replicas: 1 } }, 'a', { time: at(5) })
    expect(result['data']).toEqual({ k: 'v' })
    expect(result.metadata.managedFields?.find(({ manager }) => manager === 'a')?.time).toBe(at(0))
  })

  it('knows the whole of what has become atomic as its own', () => {
    const before: Schema = { type: 'object', properties: { data: { type: 'object', additionalProperties: { type: 'string' } } } }
    const since: Schema = { type: 'object', properties: { data: { ...before.properties?.['data'], 'x-kubernetes-map-type': 'atomic' } } }
    const live = run(undefined, { data: { a: '1' } }, 'they', { schema: before })
    expect(failing(() => run(live, { data: { b: '1' } }, 'me', { schema: since })).message).toBe(
      'Apply failed with 1 conflict: conflict with "they": .data',
    )
  })

  it('never prunes metadata away', () => {
    const live = apply({ ...context, live: undefined, applied: config({}, { labels: { a: 'b' } }), manager: 'me' })
    expect(apply({ ...context, live, applied: config({ data: { k: 'v' } }), manager: 'me' }).metadata).toMatchObject({ name: 'a' })
  })
})

describe('conflicts', () => {
  const live = update(run(undefined, { data: { k: '1', l: '1' } }, 'a'), { spec: { replicas: 1 } }, 'b')

  it('names the manager and the field', () => {
    const { status } = failing(() => run(live, { data: { k: '2' } }, 'me'))
    expect(status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "a": .data.k',
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.k' }] },
      code: 409,
    })
  })

  it('groups several by manager', () => {
    const { status } = failing(() => run(live, { data: { k: '2', l: '2' }, spec: { replicas: 2 } }, 'me'))
    expect(status.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "a":\n- .data.k\n- .data.l\nconflicts with "b" using g/v1:\n- .spec.replicas',
    )
    expect(status.details?.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.k' },
      { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.l' },
      { reason: 'FieldManagerConflict', message: 'conflict with "b" using g/v1', field: '.spec.replicas' },
    ])
  })

  it('tells through which subresource a field was set', () => {
    const scaled = trackUpdate({ ...context, live, next: { ...live, spec: { replicas: 5 } }, manager: 'hpa', subresource: 'scale' })
    expect(failing(() => run(scaled, { spec: { replicas: 1 } }, 'me')).message).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using g/v1: .spec.replicas',
    )
  })

  it('arise inside lists too', () => {
    const listed = run(undefined, { spec: { items: [{ name: 'x', v: '1' }], list: ['a'] } }, 'a')
    expect(failing(() => run(listed, { spec: { items: [{ name: 'x', v: '2' }] } }, 'me')).message).toContain('.spec.items[name="x"].v')
    expect(failing(() => run(listed, { spec: { list: ['b'] } }, 'me')).message).toContain('.spec.list')
  })

  it('are settled by force', () => {
    const result = run(live, { data: { k: '2' } }, 'me', { force: true })
    expect(result['data']).toEqual({ k: '2', l: '1' })
    expect(owners(result)).toMatchObject({ a: { 'f:data': { 'f:l': {} } }, me: { 'f:data': { 'f:k': {} } } })
  })

  it('do not arise with oneself', () => {
    const moved = run(live, { data: { k: '9' } }, 'a', { force: false })
    expect(moved['data']).toEqual({ k: '9' })
  })
})

describe('what may not be applied', () => {
  it.each([
    { reason: 'another kind', applied: { ...config({}), kind: 'L' }, code: 400, message: 'invalid object type: g/v1, Kind=L' },
    { reason: 'another version', applied: { ...config({}), apiVersion: 'v1' }, code: 400, message: 'invalid object type: /v1, Kind=K' },
    {
      reason: 'no kind',
      applied: { ...config({}), kind: undefined as unknown as string },
      code: 400,
      message: 'invalid object type: g/v1, Kind=',
    },
    { reason: 'managedFields', applied: config({}, { managedFields: [] }), code: 400, message: 'metadata.managedFields must be nil' },
    {
      reason: 'duplicates',
      applied: config({ spec: { items: [{ name: 'a' }, { name: 'a' }] } }, { namespace: 'ns' }),
      code: 500,
      message: 'failed to create typed patch object (ns/a; g/v1, Kind=K): .spec.items: duplicate entries for key [name="a"]',
    },
    {
      reason: 'unknown fields',
      applied: config({ nope: 1 }),
      code: 500,
      message: 'failed to create typed patch object (/a; g/v1, Kind=K): .nope: field not declared in schema',
    },
  ])('$reason', ({ applied, code, message }) => {
    const { status } = failing(() => apply({ ...context, live: undefined, applied, manager: 'me' }))
    expect(status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message })
  })
})

describe('coming from client-side apply', () => {
  const last = `${JSON.stringify(config({ data: { a: '1', b: '1' } }))}\n`
  const live = withMeta(
    trackUpdate({
      ...context,
      live: undefined,
      next: config({ data: { a: '1', b: '1' } }, { annotations: { [lastAppliedAnnotation]: last } }),
      manager: 'kubectl-client-side-apply',
    }),
    { uid: '1' },
  )

  it('kubectl takes over what it had applied', () => {
    const result = run(live, { data: { a: '<2>', b: '1' } }, 'kubectl')
    expect(result['data']).toEqual({ a: '<2>', b: '1' })
    expect(result.metadata.annotations?.[lastAppliedAnnotation]).toBe(
      '{"apiVersion":"g/v1","data":{"a":"\\u003c2\\u003e","b":"1"},"kind":"K","metadata":{"name":"a"}}\n',
    )
    expect(owners(result)).toMatchObject({ kubectl: { 'f:data': { 'f:a': {}, 'f:b': {} } } })
  })

  it('nobody else does', () => {
    expect(failing(() => run(live, { data: { a: '2' } }, 'other')).code).toBe(409)
  })

  it('nor does kubectl take what was changed since', () => {
    const edited = update(live, { data: { a: 'edited', b: '1' } }, 'edit')
    expect(failing(() => run(edited, { data: { a: '2', b: '2' } }, 'kubectl')).message).toBe(
      'Apply failed with 1 conflict: conflict with "edit" using g/v1: .data.a',
    )
  })

  it.each([
    { reason: 'no JSON', text: '{' },
    { reason: 'no object', text: '[]' },
    { reason: 'another version', text: JSON.stringify({ ...config({ data: { a: '1', b: '1' } }), apiVersion: 'g/v2' }) },
    { reason: 'what its schema refuses', text: JSON.stringify(config({ data: { a: '1', b: '1' }, nope: 1 })) },
    { reason: 'nothing', text: '' },
  ])('an annotation that cannot be read says nothing: $reason', ({ text }) => {
    const odd = withMeta(live, { annotations: { [lastAppliedAnnotation]: text } })
    expect(failing(() => run(odd, { data: { a: '2' } }, 'kubectl')).code).toBe(409)
  })

  it('only kubectl keeps the annotation up to date, and only where there is one', () => {
    expect(run(live, { data: { c: '1' } }, 'other').metadata.annotations?.[lastAppliedAnnotation]).toBe(last)
    expect(run(undefined, { data: { c: '1' } }, 'kubectl').metadata.annotations).toBeUndefined()
  })

  it.each([
    { reason: 'alone', others: {}, shown: { name: 'a' } },
    { reason: 'beside others', others: { x: 'y' }, shown: { annotations: { x: 'y' }, name: 'a' } },
  ])('the annotation does not tell of itself: $reason', ({ others, shown }) => {
    const applied = config({ data: { a: '1', b: '1' } }, { annotations: { ...others, [lastAppliedAnnotation]: 'applied by hand' } })
    const result = apply({ ...context, live, applied, manager: 'kubectl', force: true })
    const text = result.metadata.annotations?.[lastAppliedAnnotation] ?? ''
    expect((JSON.parse(text) as KubeObject).metadata).toEqual(shown)
  })

  it('the annotation is JSON as Go writes it', () => {
    const applied = config({ spec: { list: ['b', 'a'], replicas: 9007199254740993n, struct: { b: '&', a: '\u2028' }, set: undefined } })
    const result = apply({ ...context, live, applied, manager: 'kubectl' })
    expect(result.metadata.annotations?.[lastAppliedAnnotation]).toBe(
      '{"apiVersion":"g/v1","kind":"K","metadata":{"name":"a"},"spec":{"list":["b","a"],"replicas":9007199254740993,"struct":{"a":"\\u2028","b":"\\u0026"}}}\n',
    )
  })

  it('all annotations together may have 256 KiB', () => {
    const frame = `${JSON.stringify({ apiVersion: 'g/v1', data: { a: '1', b: '1', c: '' }, kind: 'K', metadata: { name: 'a' } })}\n`
    const room = 256 * 1024 - frame.length - lastAppliedAnnotation.length - 'other'.length - Buffer.byteLength('é')
    const annotated = withMeta(live, { annotations: { ...live.metadata.annotations, other: 'é' } })
    const kept = (length: number): string[] =>
      Object.keys(run(annotated, { data: { a: '1', b: '1', c: 'x'.repeat(length) } }, 'kubectl').metadata.annotations ?? {})
    expect(kept(room)).toEqual([lastAppliedAnnotation, 'other'])
    expect(kept(room + 1)).toEqual(['other'])
  })

  it('an annotation that would be too long is dropped', () => {
    const result = run(live, { data: { a: '1', b: '1', c: 'x'.repeat(300_000) } }, 'kubectl')
    expect(result.metadata.annotations).toEqual({})
  })
})

describe('versions', () => {
  // v2 calls `data` `values`.
  const convert: ApplyRequest['convert'] = ({ data, values, ...rest }, apiVersion) => {
    const fields = data ?? values
    const named = fields === undefined ? {} : apiVersion === 'g/v1' ? { data: fields } : { values: fields }
    return apiVersion === 'g/v1' || apiVersion === 'g/v2' ? { object: { ...rest, ...named, apiVersion } } : undefined
  }
  const inV2 = (live: KubeObject, content: object, manager: string): KubeObject => {
    const there = convert(live, 'g/v2')?.object
    return apply({
      ...context,
      apiVersion: 'g/v2',
      schema: undefined,
      convert,
      live: there,
      applied: { ...config(content), apiVersion: 'g/v2' },
      manager,
    })
  }

  it('an applier may change its version, and still removes what it applied in the old one', () => {
    const live = run(undefined, { data: { a: '1', b: '1' } }, 'me', { schema: undefined, convert })
    const result = inV2(live, { values: { a: '1' } }, 'me')
    expect(result['values']).toEqual({ a: '1' })
    expect(result.metadata.managedFields).toHaveLength(1)
    expect(result.metadata.managedFields?.[0]).toMatchObject({ apiVersion: 'g/v2', fieldsV1: { 'f:values': { 'f:a': {} } } })
  })

  it('conflicts are told in the version of the owner', () => {
    const live = run(undefined, { data: { a: '1' } }, 'they', { schema: undefined, convert })
    expect(failing(() => inV2(live, { values: { a: '2' } }, 'me')).message).toBe(
      'Apply failed with 1 conflict: conflict with "they": .data.a',
    )
  })

  it('keeps what somebody owns in another version', () => {
    let live = run(undefined, { data: { a: '1', b: '1' } }, 'me', { schema: undefined, convert })
    live = withMeta(inV2(live, { values: { b: '1' } }, 'they'), { uid: '1' })
    live = { ...(convert(live, 'g/v1')?.object as KubeObject) }
    expect(run(live, {}, 'me', { schema: undefined, convert })['data']).toEqual({ b: '1' })
  })
})
