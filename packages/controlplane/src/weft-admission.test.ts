import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { judge } from './weft-admission.ts'

const nothingServed = { find: () => undefined, objects: () => [] }
const composition = (version: string): KubeObject => ({
  apiVersion: `apiextensions.crossplane.io/${version}`,
  kind: 'Composition',
  metadata: { name: 'c' },
  // Wrong for Weft, and right for whoever knows pipelines.
  spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'X' }, mode: 'Pipeline', pipeline: [{ step: 'one' }] },
})

describe('what admission judges', () => {
  it.each([
    ['v1alpha1', true],
    ['v1', false],
    ['v2', false],
  ])('a Composition of %s: %s', (version, judged) => {
    const object = composition(version)
    const subject = {
      operation: 'CREATE',
      object,
      oldObject: undefined,
      group: 'apiextensions.crossplane.io',
      version,
      kind: 'Composition',
      subresource: '',
    }
    expect(judge(subject, nothingServed).errors.length > 0).toBe(judged)
  })
})
