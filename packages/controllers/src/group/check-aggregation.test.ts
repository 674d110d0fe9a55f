import { gvkOf, type KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { checkAggregation } from './check-aggregation.ts'

const flexible = (labels: Record<string, string>): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name: 'plain', labels },
})
const aggregate = (matchLabels: Record<string, string>): KubeObject => ({
  apiVersion: 'aggregation.crossplane.io/v1alpha1',
  kind: 'AggregateResourceClass',
  metadata: { name: 'all' },
  aggregationRule: { classSelector: { matchLabels } },
})
const world =
  (...objects: readonly KubeObject[]) =>
  ({ kind }: { readonly kind: string }): readonly KubeObject[] =>
    objects.filter((object) => gvkOf(object).kind === kind)

describe('A2: flexible classes are no part of an aggregate', () => {
  const labelled = flexible({ part: 'of', more: 'x' })
  it.each([
    { reason: 'the class gets the label', object: labelled, others: [aggregate({ part: 'of' })], told: 1 },
    { reason: 'the aggregate asks for the label', object: aggregate({ part: 'of' }), others: [labelled], told: 1 },
    { reason: 'another label', object: labelled, others: [aggregate({ part: 'other' })], told: 0 },
    { reason: 'an aggregate that stands for nothing', object: labelled, others: [aggregate({})], told: 0 },
    { reason: 'labels that were there before', object: labelled, old: labelled, others: [aggregate({ part: 'of' })], told: 0 },
  ])('their author is told: $reason ($told)', ({ object, old, others, told }) => {
    const warnings = checkAggregation(object, old, world(...others))
    expect(warnings).toHaveLength(told)
    for (const warning of warnings) expect(warning).toMatch(/ResourceClass plain .* AggregateResourceClass all/)
  })
})
