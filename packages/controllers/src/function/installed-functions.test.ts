import type { KubeObject } from '@weft/api'
import type { Client, InformerReader } from '@weft/client'
import { FunctionError, type FunctionPlace } from '@weft/functions'
import { describe, expect, test } from 'vitest'
import { FUNCTION_ADDRESS, type PackageObject, type RevisionObject } from '../package/kinds.ts'
import { installedFunctions } from './installed-functions.ts'

const given = (reference: string, annotations: Record<string, string> = {}): PackageObject =>
  ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'f', annotations },
    spec: { package: reference },
  }) as PackageObject

const revision = (desiredState: string, endpoint?: string): RevisionObject =>
  ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'FunctionRevision',
    metadata: { name: `f-${desiredState}`, labels: { 'pkg.crossplane.io/package': 'f' } },
    spec: { image: 'x', desiredState, revision: 1 },
    status: { ...(endpoint !== undefined && { endpoint }) },
  }) as RevisionObject

const reader = <T extends KubeObject>(...objects: readonly T[]): InformerReader<T> =>
  ({ get: ({ name }: { name: string }) => objects.find(({ metadata }) => metadata.name === name), list: () => objects }) as never

const TLS = { 'ca.crt': 'Y2E=', 'tls.key': 'a2V5', 'tls.crt': 'Y3J0' }

async function find(
  fn: PackageObject,
  revisions: readonly RevisionObject[] = [],
  data: object | undefined = TLS,
): Promise<FunctionPlace | string> {
  const client = { find: async () => data && { data } } as unknown as Client
  const directory = installedFunctions({ functions: reader(fn), revisions: reader(...revisions), client })
  return directory.find('f').catch((error: unknown) => {
    if (error instanceof FunctionError) return error.message
    throw error
  })
}

describe('where a Function is', () => {
  test.each<[string, PackageObject, object | RegExp]>([
    ['built in, whatever the registry', given('mirror.example.org/any/function-auto-ready:v0.7.0'), { type: 'builtIn' }],
    ['on this machine', given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'localhost:9443' }), { type: 'address' }],
    ['nowhere', given('x.example.org/a/b:v1'), /has no active revision/],
    [
      'on another machine: secrets do not travel in the clear',
      given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'evil.example.org:9443' }),
      /must be localhost/,
    ],
    ['at a socket', given('x.example.org/a/b:v1', { [FUNCTION_ADDRESS]: 'unix:/run/secret.sock' }), /must be localhost/],
  ])('%s', async (_name, fn, expected) => {
    const place = await find(fn)
    if (expected instanceof RegExp) expect(place).toMatch(expected)
    else expect(place).toMatchObject(expected)
  })

  test('K113 at the endpoint of its active revision, with certificates of both sides', async () => {
    const fn = given('x.example.org/a/b:v1')
    const other = revision('Inactive', 'dns:///127.0.0.1:1')
    const at = async (endpoint: string) => find(fn, [other, revision('Active', endpoint)])
    expect(await at('dns:///f.crossplane-system:9443')).toEqual({
      type: 'address',
      target: {
        type: 'tcp',
        host: 'f.crossplane-system',
        port: 9443,
        tls: { ca: Buffer.from('ca'), key: Buffer.from('key'), certificate: Buffer.from('crt') },
      },
    })
    // Every program of this machine has the same address: another's certificate will not do.
    expect(await at('dns:///127.0.0.1:4242')).toMatchObject({ target: { port: 4242, tls: { serverName: 'f.crossplane-system' } } })
    expect(await find(fn, [revision('Active')])).toMatch(/is not running at present/)
    expect(await find(fn, [revision('Active', 'dns:///f:1')], {})).toMatch(/has no ca.crt/)
  })
})
