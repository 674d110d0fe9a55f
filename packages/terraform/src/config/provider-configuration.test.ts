import { describe, expect, it } from 'vitest'
import type { Field } from '../kinds/shape.ts'
import { formOf } from '../kinds/shape-of.ts'
import { BOOL, listOf, STRING, type Type } from '../value/type.ts'
import { toProviderConfiguration } from './provider-configuration.ts'

const field = (name: string, camel: string, type: Type, secret = false): Field => ({
  name,
  field: camel,
  input: 'optional',
  output: 'none',
  form: formOf(type),
  absent: 'null',
  description: '',
  deprecated: false,
  ...(secret && { secretField: `${camel}SecretRef` }),
})
const fields = [
  field('region', 'region', STRING),
  field('secret_key', 'secretKey', STRING, true),
  field('insecure', 'insecure', BOOL),
  field('hosts', 'hosts', listOf(STRING)),
]
const NOTHING = { configuration: {}, environment: {}, secret: {}, secrets: () => undefined }

describe('a ProviderConfig (T144)', () => {
  it('is what it says, and over it what its Secret holds; capitals are variables, the rest is somebody else’s', () => {
    const { config, env } = toProviderConfiguration(fields, {
      ...NOTHING,
      configuration: { region: 'eu', insecure: false },
      environment: { AWS_PROFILE: 'x' },
      secret: { secret_key: 's3', insecure: 'true', hosts: '["a"]', AWS_ROLE: 'r', 'ca.crt': 'PEM' },
    })
    expect(Object.fromEntries(config)).toEqual({ region: 'eu', secret_key: 's3', insecure: true, hosts: ['a'] })
    expect(env).toEqual({ AWS_PROFILE: 'x', AWS_ROLE: 'r' })
  })

  it('may have all of it in one JSON document', () => {
    const { config } = toProviderConfiguration(fields, { ...NOTHING, document: '{"secretKey":"s","hosts":["b"]}' })
    expect(Object.fromEntries(config)).toEqual({ region: null, secret_key: 's', insecure: null, hosts: ['b'] })
  })

  it.each<[string, object, RegExp]>([
    ['a variable that is ours', { environment: { LD_PRELOAD: '/x.so' } }, /cannot be set/],
    ['a variable that is ours, from the Secret', { secret: { TF_PLUGIN_MAGIC_COOKIE: 'x' } }, /cannot be set/],
    ['a document that is none', { document: 'hunter2' }, /is not JSON/],
    ['an attribute that does not exist', { document: '{"nothing":1}' }, /not an attribute/],
    ['what is not of its type', { secret: { insecure: 'hunter2' } }, /must be true or false/],
  ])('refuses %s, and quotes no value', (_reason, more, message) => {
    const call = (): unknown => toProviderConfiguration(fields, { ...NOTHING, ...more })
    expect(call).toThrow(message)
    expect(call).not.toThrow(/hunter2/)
  })
})
