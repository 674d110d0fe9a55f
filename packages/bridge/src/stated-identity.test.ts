import type { JsonObject } from '@weft/api'
import type { ManagedResource } from '@weft/provider-sdk'
import { identityType, decodeMsgpack, NUMBER, type ProviderSchema, STRING, type Type } from '@weft/terraform'
import { describe, expect, test } from 'vitest'
import { importKey } from './import-key.ts'
import { statedIdentity } from './stated-identity.ts'

const attribute = (name: string, type: Type) => ({
  name,
  type,
  requiredForImport: true,
  optionalForImport: false,
  description: '',
})
const identity = {
  version: 0,
  attributes: new Map([
    ['region_name', attribute('region_name', STRING)],
    ['number', attribute('number', NUMBER)],
  ]),
}
const of = {
  schema: { identities: new Map([['x_thing', identity]]) } as unknown as ProviderSchema,
  type: 'x_thing',
  sort: 'resource',
} as const
const stating = (importIdentity: JsonObject | undefined): ManagedResource => ({
  apiVersion: 'x/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec: { forProvider: {}, ...(importIdentity !== undefined && { importIdentity }) },
})

describe('T149: spec.importIdentity', () => {
  test('is an external name that is taken apart again, with all digits', () => {
    const name = statedIdentity(of, stating({ regionName: 'eu', number: 9007199254740993n })) ?? ''
    expect(name).toBe('{"number":9007199254740993,"region_name":"eu"}')
    const key = importKey({ ...of, fields: [], connectionKeys: [], provider: 'x' }, name)
    const value = decodeMsgpack(identityType(identity), 'identity' in key ? key.identity : new Uint8Array())
    expect(String((value as ReadonlyMap<string, unknown>).get('number'))).toBe('9007199254740993')
  })

  test.each([
    ['that nobody gave', undefined],
    ['that is empty', {}],
  ])('names nothing %s', (_reason, given) => expect(statedIdentity(of, stating(given))).toBeUndefined())

  test('names nothing of a type that has no identity', () => {
    expect(statedIdentity({ ...of, type: 'x_other' }, stating({ regionName: 'eu' }))).toBeUndefined()
  })

  test('says which word is wrong', () => {
    expect(() => statedIdentity(of, stating({ region: 'eu' }))).toThrow('spec.importIdentity.region')
  })
})
