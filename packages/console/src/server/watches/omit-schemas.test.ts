import { expect, it } from 'vitest'
import { lineWithoutSchemas, takeOmission } from './omit-schemas.ts'

const schema = { openAPIV3Schema: { type: 'object' } }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.org', managedFields: [{}], ownerReferences: [{ name: 'owner' }] },
  spec: { group: 'example.org', versions: [{ name: 'v1', schema, additionalPrinterColumns: [] }, 'odd'] },
  status: { conditions: [] },
}

it('definitions are told without schemas and fields of managers, and with all else', () => {
  const { managedFields: _, ...metadata } = definition.metadata
  expect(JSON.parse(lineWithoutSchemas(JSON.stringify({ type: 'ADDED', object: definition })))).toEqual({
    type: 'ADDED',
    object: {
      ...definition,
      metadata,
      spec: { group: 'example.org', versions: [{ name: 'v1', additionalPrinterColumns: [] }, 'odd'] },
    },
  })
})

it.each(['{"type":"ERROR","object":{"kind":"Status"}}', '{"type":"BOOKMARK"}', '7'])('what is no definition stays as it is: %s', (line) => {
  expect(lineWithoutSchemas(line)).toBe(line)
})

it('is asked for by a parameter that the API server never sees', () => {
  expect(takeOmission('/apis/x/v1/things?watch=true&omit=schemas')).toEqual({ path: '/apis/x/v1/things?watch=true', omitsSchemas: true })
  expect(takeOmission('/apis/x/v1/things?watch=true&omit=all')).toEqual({
    path: '/apis/x/v1/things?watch=true&omit=all',
    omitsSchemas: false,
  })
  expect(takeOmission('/apis/x/v1/things')).toEqual({ path: '/apis/x/v1/things', omitsSchemas: false })
})
