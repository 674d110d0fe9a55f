import { describe, expect, it } from 'vitest'
import { namedSecrets, newlyNamedSecrets } from './named-secrets.ts'

describe('the secrets that a resource names', () => {
  const of = (spec: object, namespace?: string) =>
    namedSecrets({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a', ...(namespace && { namespace }) }, spec })

  it.each([
    ['one to write', { writeConnectionSecretToRef: { namespace: 'n', name: 'c' } }, [{ namespace: 'n', name: 'c', write: true }]],
    ['one to read', { credentials: { secretRef: { namespace: 'n', name: 'c', key: 'k' } } }, [{ namespace: 'n', name: 'c', write: false }]],
    ['without a namespace', { credentialsSecretRef: { name: 'c' } }, [{ namespace: 'crossplane-system', name: 'c', write: false }]],
    [
      'a parameter is only ever read',
      { forProvider: { writeConnectionSecretToRef: { namespace: 'n', name: 'c' } } },
      [{ namespace: 'n', name: 'c', write: false }],
    ],
    ['in a list', { forProvider: { keySecretRefs: [{ namespace: 'n', name: 'a' }] } }, [{ namespace: 'n', name: 'a', write: false }]],
    ['none', { forProvider: { name: 'x', secret: 'y' } }, []],
  ])('%s', (_reason, spec, wanted) => expect(of(spec)).toEqual(wanted))

  it('a namespaced resource means its own namespace', () => expect(of({ secretRef: { name: 'c' } }, 'team')[0]?.namespace).toBe('team'))

  it('newly: not those that were named before, unless they are to be written now', () => {
    const object = (spec: object) => ({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec })
    const read = object({ credentials: { secretRef: { namespace: 'n', name: 'c' } } })
    const written = object({ writeConnectionSecretToRef: { namespace: 'n', name: 'c' } })
    expect(newlyNamedSecrets(read, read)).toEqual([])
    expect(newlyNamedSecrets(read, undefined)).toHaveLength(1)
    expect(newlyNamedSecrets(written, read)).toHaveLength(1)
  })
})
