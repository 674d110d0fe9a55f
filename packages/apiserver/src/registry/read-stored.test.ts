import { parseJson, stringifyJson } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { readStored } from './read-stored.ts'

const text = (name: string, more: object = {}): string =>
  stringifyJson({
    apiVersion: 'example.org/v1',
    kind: 'Thing',
    metadata: {
      name,
      managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'example.org/v1', fieldsV1: { 'f:spec': { 'f:size': {} } } }],
    },
    ...more,
  })

describe('what is stored', () => {
  it('is read as it was written, long numbers too, and with what is a name to JavaScript', () => {
    for (const written of [
      text('a'),
      text('b', { spec: { long: 9_007_199_254_740_993n } }),
      '{"metadata":{"name":"c","__proto__":{"x":1}}}',
    ])
      expect(stringifyJson(readStored(written))).toBe(stringifyJson(parseJson(written).value))
  })

  it('shares between objects what their managers own', () => {
    const [one, other] = [readStored(text('a')), readStored(text('b'))]
    expect(one.metadata.managedFields?.[0]?.fieldsV1).toBe(other.metadata.managedFields?.[0]?.fieldsV1)
    expect(one.metadata.managedFields?.[0]?.fieldsV1).toBeDefined()
  })

  it.each([
    '{}',
    '{"metadata":null}',
    '{"metadata":{"managedFields":null}}',
    '{"metadata":{"managedFields":[null,1,{},{"fieldsV1":[1]}]}}',
  ])('is read whatever its managed fields are: %s', (written) => {
    expect(stringifyJson(readStored(written))).toBe(written)
  })
})
