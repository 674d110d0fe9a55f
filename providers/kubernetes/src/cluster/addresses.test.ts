import { describe, expect, it } from 'vitest'
import { forbiddenAddress, guardedLookup } from './addresses.ts'

describe('addresses of clusters', () => {
  it.each([
    ['169.254.169.254', 'operator', /link-local/],
    ['[fe80::1]', 'operator', /link-local/],
    ['[::ffff:169.254.169.254]', 'operator', /link-local/],
    ['fd00:ec2::254', 'operator', /link-local/],
    ['100.100.100.200', 'operator', /link-local/],
    ['0.0.0.0', 'operator', /link-local/],
    ['[::]', 'tenant', /link-local/],
    ['127.0.0.1', 'tenant', /control plane itself/],
    ['127.8.8.8', 'tenant', /control plane itself/],
    ['[::1]', 'tenant', /control plane itself/],
    ['[::ffff:127.0.0.1]', 'tenant', /control plane itself/],
  ] as const)('%s named by a %s is refused', (host, by, why) => expect(forbiddenAddress(host, by)).toMatch(why))

  it.each([
    ['127.0.0.1', 'operator'],
    ['10.0.0.1', 'tenant'],
    ['192.168.1.1', 'tenant'],
    ['203.0.113.5', 'tenant'],
    ['cluster.example.org', 'tenant'],
  ] as const)('%s named by a %s is connected', (host, by) => expect(forbiddenAddress(host, by)).toBeUndefined())

  const looked = (name: string, by: 'operator' | 'tenant', all: boolean): Promise<unknown> =>
    new Promise((resolve) => guardedLookup(by)(name, { all }, (error, address) => resolve(error ?? address)))

  it.each([true, false])('a name is judged by what it leads to, whether one address or all of them are asked for (%s)', async (all) => {
    expect(await looked('localhost', 'tenant', all)).toMatchObject({ code: 'EFORBIDDEN' })
    expect(await looked('localhost', 'operator', all)).not.toBeInstanceOf(Error)
  })
})
