import { describe, expect, test } from 'vitest'
import { FUNCTION_ADDRESS, type FunctionPackage } from './function-kind.ts'
import { placeOf } from './installed-functions.ts'

const given = (reference: string, annotations: Record<string, string> = {}): FunctionPackage =>
  ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'f', annotations },
    spec: { package: reference },
  }) as FunctionPackage

describe('where a Function is', () => {
  test.each<[string, FunctionPackage, object | RegExp]>([
    ['built in, whatever the registry', given('mirror.example.org/any/function-auto-ready:v0.7.0'), { type: 'builtIn' }],
    ['on this machine', given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'localhost:9443' }), { type: 'address' }],
    ['nowhere', given('x.example.org/a/b:v1'), /is not built in/],
    [
      'on another machine: secrets do not travel in the clear',
      given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'evil.example.org:9443' }),
      /must be localhost/,
    ],
    ['at a socket', given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'unix:/run/secret.sock' }), /must be localhost/],
  ])('%s', (_name, fn, expected) => {
    const place = placeOf(fn)
    if (expected instanceof RegExp) expect(place).toMatch(expected)
    else expect(place).toMatchObject(expected)
  })
})
