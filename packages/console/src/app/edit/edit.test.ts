import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { MANAGED, objectOf } from '../../world/testing.fixture.ts'
import { changedImmutables, immutableFields } from './immutable.ts'
import { merge } from './merge.ts'

const server = (resourceVersion: string, spec: object, more: object = {}) =>
  objectOf(MANAGED, 'a', { metadata: { resourceVersion }, spec, ...more })

describe('an edit and what others changed meanwhile', () => {
  it('come together where they touch different fields, and what is saved begins with the latest', () => {
    const { object, conflicts } = merge(
      server('1', { size: 1, tier: 'small', gone: true }),
      server('1', { size: 2, tier: 'small', gone: true }),
      server('7', { size: 1, tier: 'large', region: 'east' }, { status: { seen: true } }),
    )
    expect(conflicts).toEqual([])
    expect(object['spec']).toEqual({ size: 2, tier: 'large', region: 'east' })
    expect(object.metadata.resourceVersion).toBe('7')
    expect(object['status']).toMatchObject({ seen: true })
  })

  it('conflict where they touch the same, and mine is kept until it is decided', () => {
    const { object, conflicts } = merge(server('1', { size: 1 }), server('1', { size: 2 }), server('7', { size: 3 }))
    expect(conflicts).toEqual([{ path: 'spec.size', mine: 2, theirs: 3 }])
    expect(object['spec']).toEqual({ size: 2 })
  })

  it('what I took away stays away', () => {
    expect(merge(server('1', { a: 1, b: 1 }), server('1', { a: 1 }), server('2', { a: 2, b: 1 })).object['spec']).toEqual({ a: 2 })
  })
})

describe('what cannot be changed', () => {
  it('is told by the rules of the schema, and always the name', () => {
    const schema = {
      properties: {
        spec: { properties: { engine: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }, size: {} } },
      },
    } as unknown as Schema
    const fields = immutableFields(schema)
    expect(fields).toEqual(['spec.engine'])
    const before = server('1', { engine: 'mysql', size: 1 })
    expect(changedImmutables(before, server('1', { engine: 'mysql', size: 2 }), fields)).toEqual([])
    expect(changedImmutables(before, { ...server('1', { size: 1 }), kind: 'Other' }, fields)).toEqual(['kind', 'spec.engine'])
    // What is not set yet may be set.
    expect(changedImmutables(server('1', {}), server('1', { engine: 'mysql' }), fields)).toEqual([])
  })
})
