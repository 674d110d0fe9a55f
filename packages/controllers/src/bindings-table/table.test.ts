import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { buildTable } from './table.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, kindOnly, RESOURCE_CLASS } from './well-known.ts'

const definition = (name: string, claim: string, classKind: string, managed: string, more: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'ResourceBindingDefinition',
  metadata: { name },
  spec: {
    claim: { group: 'g', kind: claim },
    class: { group: 'c', kind: classKind },
    managed: { group: 'm', version: 'v1', kind: managed },
    ...more,
  },
})
const flexible = (kind: string, claim: string, base: string): KubeObject => {
  const template = { base: { apiVersion: 'm/v1', kind: base } }
  const spec = {
    claim: { apiVersion: 'g/v1', kind: claim },
    ...(kind === 'ResourceClass' ? { resource: template } : { resources: [template, template] }),
  }
  return { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind, metadata: { name: `${kind}-${claim}` }, spec }
}

describe('X9: the binding table', () => {
  const sql = { group: 'g', kind: 'MySQLInstance' }

  test('S10: a tuple for each direct row, and one for aggregates', () => {
    const table = buildTable({ definitions: [definition('a', 'MySQLInstance', 'SQLServerClass', 'SQLServer')] })
    expect(table.tuples).toEqual([
      { claim: sql, class: { group: 'c', kind: 'SQLServerClass' } },
      { claim: sql, class: kindOnly(AGGREGATE_CLASS) },
    ])
    expect(table.row(sql, { group: 'c', kind: 'SQLServerClass' })?.managed.kind).toBe('SQLServer')
  })

  test('A12: supporting rows are for aggregates only', () => {
    const table = buildTable({
      definitions: [definition('a', 'MySQLInstance', 'ResourceGroupClass', 'ResourceGroup', { type: 'Supporting' })],
    })
    expect(table.tuples).toEqual([])
    expect(table.claims).toEqual([sql])
    expect(table.rowsOf(sql)).toMatchObject([{ direct: false }])
  })

  test('F2, F3: a flexible class is a row by itself', () => {
    const table = buildTable({
      definitions: [],
      resourceClasses: [flexible('ResourceClass', 'Queue', 'Topic')],
      compositeClasses: [flexible('CompositeResourceClass', 'MySQLInstance', 'Server')],
    })
    expect(table.tuples).toEqual([
      { claim: { group: 'g', kind: 'Queue' }, class: kindOnly(RESOURCE_CLASS) },
      { claim: sql, class: kindOnly(COMPOSITE_CLASS) },
    ])
    expect(table.managedKinds(sql)).toEqual([{ group: 'm', kind: 'Server' }])
    expect(table.managedKinds()).toHaveLength(2)
  })

  test('S18: no row, no relation', () => {
    const table = buildTable({ definitions: [definition('a', 'Bucket', 'BucketClass', 'Bucket')] })
    expect(table.row(sql, { group: 'c', kind: 'BucketClass' })).toBeUndefined()
    expect(table.rowsOf(sql)).toEqual([])
  })

  test('rows that cannot be read, or contradict an earlier one, are problems of their own', () => {
    const table = buildTable({
      definitions: [
        definition('b', 'Bucket', 'BucketClass', 'Other'),
        definition('a', 'Bucket', 'BucketClass', 'Bucket'),
        definition('c', 'Bucket', 'XClass', 'X', { fieldMappings: [{ fromFieldPath: 'spec[', toFieldPath: 'spec.x' }] }),
        { ...definition('d', 'Bucket', 'YClass', 'Y'), spec: {} },
      ],
    })
    expect(table.problems.map(({ source }) => source)).toEqual(['b', 'c', 'd'])
    expect(table.row({ group: 'g', kind: 'Bucket' }, { group: 'c', kind: 'BucketClass' })?.managed.kind).toBe('Bucket')
  })
})
