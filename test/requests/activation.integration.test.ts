import { findCondition, specOf } from '@weft/api'
import { ACTIVATION_ANNOTATION, BY_NAME, managedResourceDefinitionKind } from '@weft/controllers'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf, kindsOf } from '../../bench/definitions/kinds.ts'
import { type CountedPlane, startCountedPlane } from './counted.ts'

let plane: CountedPlane
beforeAll(async () => {
  plane = await startCountedPlane()
})
afterAll(() => plane.stop())

const KINDS = 8

const inactive = ({ metadata, spec }: ReturnType<typeof definitionOf>) => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: managedResourceDefinitionKind.kind,
  // A policy for all kinds, which every control plane has, leaves them alone.
  metadata: { ...metadata, annotations: { [ACTIVATION_ANNOTATION]: BY_NAME } },
  spec: { ...specOf({ spec }), state: 'Inactive' },
})

test('a kind is activated by no more requests than it must', async () => {
  const { client } = plane
  const definitions = kindsOf(KINDS).map((kind) => inactive(definitionOf(kind)))
  for (const definition of definitions) await client.create(definition)
  const counts = new Map(
    await plane.requestsOf(async () => {
      await client.create({
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name: 'these' },
        spec: { activate: definitions.map(({ metadata }) => metadata.name ?? '') },
      })
      for (const { metadata } of definitions)
        await eventually(async () => {
          const { status } = await client.get(managedResourceDefinitionKind, { name: metadata.name ?? '' })
          expect(findCondition(status?.conditions, 'Established')?.status).toBe('True')
        })
    }),
  )
  // Rights, events and the status of the policy are written for many at once, as it comes.
  for (const key of counts.keys()) if (!key.includes('definitions') || key.startsWith('test-user')) counts.delete(key)
  expect(Object.fromEntries(counts)).toEqual({
    'composition patch managedresourcedefinitions 200': KINDS,
    'composition create customresourcedefinitions 201': KINDS,
    'composition update managedresourcedefinitions/status 200': KINDS,
  })
})
