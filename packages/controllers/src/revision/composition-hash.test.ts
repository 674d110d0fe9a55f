import type { KubeObject } from '@weft/api'
import { recording } from '@weft/testing'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compositionHash, isPipeline } from './composition-hash.ts'

describe('the hash of a Composition', () => {
  const composition: KubeObject = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: 'a' },
    spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'X' }, mode: 'Pipeline', pipeline: [] },
  }

  test('K40: labels and annotations count, the name does not', () => {
    const hash = compositionHash(composition)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(compositionHash({ ...composition, metadata: { name: 'b', uid: 'c' } })).toBe(hash)
    expect(compositionHash({ ...composition, metadata: { name: 'a', labels: { x: 'y' } } })).not.toBe(hash)
    expect(compositionHash({ ...composition, metadata: { name: 'a', annotations: { x: 'y' } } })).not.toBe(hash)
  })

  test('K40: lists and labels without anything in them say nothing, as in Crossplane; what a function is given is left alone', () => {
    const withSteps = (...pipeline: readonly object[]): KubeObject =>
      ({ ...composition, spec: { mode: 'Pipeline', pipeline } }) as KubeObject
    const step = { step: 'one', functionRef: { name: 'f' } }
    const selector = { requirementName: 'r', apiVersion: 'v1', kind: 'ConfigMap' }
    const same = (a: KubeObject, b: KubeObject): void => expect(compositionHash(a)).toBe(compositionHash(b))
    same(withSteps({ ...step, credentials: [] }), withSteps(step))
    same(withSteps({ ...step, requirements: { requiredResources: [], requiredSchemas: [] } }), withSteps({ ...step, requirements: {} }))
    const labelled = { requirements: { requiredResources: [{ ...selector, matchLabels: {} }] } }
    same(withSteps({ ...step, ...labelled }), withSteps({ ...step, requirements: { requiredResources: [selector] } }))
    same({ ...composition, metadata: { name: 'a', labels: {}, annotations: {} } }, composition)
    expect(compositionHash(withSteps({ ...step, requirements: {} }))).not.toBe(compositionHash(withSteps(step)))
    expect(compositionHash(withSteps({ ...step, input: { credentials: [] } }))).not.toBe(compositionHash(withSteps({ ...step, input: {} })))
  })

  test('templates are no pipeline', () => {
    expect(isPipeline(composition)).toBe(true)
    expect(isPipeline({ ...composition, spec: { from: {}, to: [] } } as KubeObject)).toBe(false)
  })

  test.skipIf(recording('world.json') === undefined)('K41: is that of every revision of a real control plane', () => {
    const { items } = JSON.parse(readFileSync(recording('world.json') ?? '', 'utf8')) as { items: readonly KubeObject[] }
    const revisions = items.filter(({ kind }) => kind === 'CompositionRevision')
    expect(revisions.length).toBeGreaterThan(0)
    for (const revision of revisions) {
      const {
        'crossplane.io/composition-name': name = '',
        'crossplane.io/composition-hash': recorded = '-',
        ...labels
      } = revision.metadata.labels ?? {}
      const { labels: _labels, ...metadata } = revision.metadata
      const hash = compositionHash({ ...revision, metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) } })
      expect(hash.slice(0, 63)).toBe(recorded)
      expect(revision.metadata.name).toBe(`${name}-${hash.slice(0, 7)}`)
    }
  })
})
