import type { ServedKind } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { splitField } from './split-field.ts'

const served = (group: string, kind: string): ServedKind =>
  ({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
  }) as unknown as ServedKind

describe('what is to be explained', () => {
  const kinds = [served('aws.example.org', 'Provider'), served('pkg.crossplane.io', 'Provider'), served('example.org', 'Store')]

  it.each([
    ['store.spec.size', 'example.org', ['spec', 'size']],
    ['providers.pkg.crossplane.io.spec', 'pkg.crossplane.io', ['spec']],
  ])('%s', (field, group, path) => {
    expect(splitField(kinds, field, undefined)).toMatchObject({ served: { group }, path })
  })

  it.each(['providers', 'provider.spec'])('%s may be of two groups: both are named, and neither is explained', (field) => {
    expect(() => splitField(kinds, field, undefined)).toThrow(
      'means several kinds: say which one, providers.aws.example.org or providers.pkg.crossplane.io',
    )
  })

  it('an API version leaves no choice', () => {
    expect(splitField(kinds, 'providers', 'pkg.crossplane.io/v1')).toMatchObject({ served: { group: 'pkg.crossplane.io' } })
  })
})
