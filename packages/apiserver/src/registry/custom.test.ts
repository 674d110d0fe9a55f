import type { CustomResourceDefinition } from '@weft/schema'
import { describe, expect, it } from 'vitest'
import { customTypes } from './custom.ts'

interface Version {
  readonly name: string
  readonly served?: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
}

const warningOf = (name: string, versions: readonly Version[]): string | undefined => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: versions.map((version, index) => ({ served: true, storage: index === 0, ...version })),
    },
  } as CustomResourceDefinition
  return customTypes(crd, () => Promise.resolve([])).find(({ version }) => version === name)?.deprecationWarning
}

describe('the warning of a deprecated version', () => {
  const old = { name: 'v1beta1', deprecated: true }
  it.each([
    [
      'names the best version that replaces it',
      [old, { name: 'v1beta2' }, { name: 'v1' }, { name: 'v2alpha1' }],
      '; use example.org/v1 Widget',
    ],
    ['names none that is not served, or deprecated itself', [old, { name: 'v1', served: false }, { name: 'v2', deprecated: true }], ''],
    ['names none that is less stable', [old, { name: 'v9alpha1' }], ''],
  ] as const)('%s', (_what, versions, more) => {
    expect(warningOf('v1beta1', versions)).toBe(`example.org/v1beta1 Widget is deprecated${more}`)
  })

  it('is what the definition says, where it says something', () => {
    expect(warningOf('v1beta1', [{ ...old, deprecationWarning: 'mind the gap' }, { name: 'v1' }])).toBe('mind the gap')
  })

  it('is for deprecated versions', () => {
    expect(warningOf('v1', [old, { name: 'v1' }])).toBeUndefined()
  })
})
