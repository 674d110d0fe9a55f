import { describe, expect, test } from 'vitest'
import { childName, composedManager, isValidName } from './names.ts'

describe('names of composed resources', () => {
  test('K64: follow from the composite and the resource name, and fit into 63 characters', () => {
    const uid = '7a9a1b52-7d0f-4c9b-8a67-1f5d4ec20a11'
    expect(childName('stall-1-', uid, 'one')).toBe('stall-1-b8f68d3eb396')
    expect(childName('stall-1', uid, 'one')).toBe('stall-1-b8f68d3eb396')
    expect(childName('stall-1-', uid, 'two')).not.toBe('stall-1-b8f68d3eb396')
    const long = childName(`${'x'.repeat(60)}-`, uid, 'one')
    expect(long).toMatch(/^x{50}-[0-9a-f]{12}$/)
    // A cut that ends in a dash needs no other.
    expect(childName(`${'x'.repeat(50)}-${'y'.repeat(20)}`, uid, 'one')).toMatch(/^x{50}-[0-9a-f]{12}$/)
  })

  test('K65: names of roles may have colons, others not', () => {
    expect(isValidName({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }, 'example:reader')).toBe(true)
    expect(isValidName({ apiVersion: 'v1', kind: 'ConfigMap' }, 'example:reader')).toBe(false)
    expect(isValidName({ apiVersion: 'v1', kind: 'ConfigMap' }, 'Not_Valid')).toBe(false)
  })

  test('K68: the manager is one for all of a kind that a composite makes', () => {
    const xr = { apiVersion: 'shop.example.org/v1', kind: 'Stall', metadata: { name: 'one' } }
    expect(composedManager(xr)).toMatch(/^apiextensions\.crossplane\.io\/composed\/[0-9a-f]{64}$/)
    expect(composedManager({ ...xr, metadata: { name: 'one', namespace: 'a', uid: 'b' } })).toBe(composedManager(xr))
  })
})
