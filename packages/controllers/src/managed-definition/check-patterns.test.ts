import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { checkPatterns } from './check-patterns.ts'

const policy = (...activate: readonly unknown[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: { name: 'p' },
  spec: { activate },
})
const servers: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: { name: 'servers.nop.example.org' },
}

describe('M6: patterns of a policy', () => {
  it.each([
    { reason: 'what is there is named', patterns: ['servers.nop.example.org', '*.example.org', '*'], told: [] },
    {
      reason: 'a star elsewhere names nothing, ever',
      patterns: ['servers.*'],
      told: [/^spec.activate\[0\]: servers\.\* can never match anything/],
    },
    { reason: 'two stars neither', patterns: ['*', '*.nop.*'], told: [/^spec.activate\[1\]: \*\.nop\.\* can never/] },
    {
      reason: 'what is not there may come',
      patterns: ['*.aws.example.org'],
      told: [/names no ManagedResourceDefinition that exists now/],
    },
    { reason: 'nonsense is for the schema to tell', patterns: [5], told: [] },
  ])('$reason', ({ patterns, told }) => {
    const warnings = checkPatterns(policy(...patterns), [servers])
    expect(warnings).toHaveLength(told.length)
    told.forEach((each, i) => expect(warnings[i]).toMatch(each))
  })
})
