import { describe, expect, it } from 'vitest'
import { object } from '../objects.fixture.ts'
import { fieldManagerOf } from './object-client.ts'
import { objectIdentity, propagationOf, wantedOf } from './manifest.ts'

const manifest = (metadata: object, apiVersion = 'apps/v1') => ({ apiVersion, kind: 'Deployment', metadata })

describe('wantedOf', () => {
  it('names the object after the Object unless the manifest does, or the annotation', () => {
    expect(wantedOf(object('o', manifest({})))).toMatchObject({ name: 'o', manifest: { metadata: { name: 'o' } } })
    expect(wantedOf(object('o', manifest({ name: 'm' }))).name).toBe('m')
    const annotated = { ...object('o', manifest({})), metadata: { name: 'o', annotations: { 'crossplane.io/external-name': 'e' } } }
    expect(wantedOf(annotated).name).toBe('e')
  })

  it('leaves out what only a server may say', () => {
    const given = manifest({ name: 'm', labels: { a: 'b' }, uid: 'u', resourceVersion: '1', managedFields: [], creationTimestamp: null })
    expect(wantedOf(object('o', given)).manifest.metadata).toEqual({ name: 'm', labels: { a: 'b' } })
  })

  it.each([
    ['no manifest', {}],
    ['no kind', { apiVersion: 'v1', metadata: {} }],
    ['a path for a name', manifest({ name: '../secrets/x' })],
    ['a path for a namespace', manifest({ namespace: '..' })],
    ['an encoded path', manifest({ name: 'a%2fb' })],
  ])('refuses %s', (_reason, given) => {
    expect(() => wantedOf(object('o', given))).toThrow(expect.objectContaining({ code: 'Invalid' }) as Error)
  })
})

describe('objectIdentity', () => {
  it('is the same for all versions of a kind, and told by group, kind, namespace and name', () => {
    const identity = (metadata: object, apiVersion?: string) => objectIdentity(object('o', manifest(metadata, apiVersion)))
    expect(identity({ name: 'a', namespace: 'n' }, 'apps/v1')).toBe(identity({ name: 'a', namespace: 'n' }, 'apps/v1beta1'))
    const all = [identity({}), identity({ name: 'a' }), identity({ namespace: 'n' }), identity({}, 'x.org/v1')]
    expect(new Set(all).size).toBe(4)
    expect(objectIdentity(object('o', {}))).toBeUndefined()
  })
})

describe('of an Object', () => {
  it('the field manager is its own, and short enough', () => {
    expect(fieldManagerOf(object('o', {}))).toBe('provider-kubernetes/o')
    const long = ['a', 'b'].map((end) => fieldManagerOf(object(`${'x'.repeat(200)}${end}`, {})))
    expect(long.every((manager) => manager.length <= 128)).toBe(true)
    expect(long[0]).not.toBe(long[1])
  })

  it('what it owns goes in the background unless it says otherwise', () => {
    expect(propagationOf(object('o', {}))).toBe('Background')
    const foreground = { ...object('o', {}), spec: { forProvider: { deletionPropagationPolicy: 'Foreground' } } }
    expect(propagationOf(foreground)).toBe('Foreground')
  })
})
