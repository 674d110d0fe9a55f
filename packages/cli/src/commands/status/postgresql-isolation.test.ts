import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { formatPostgresqlIsolation, readPostgresqlIsolation } from './postgresql-isolation.ts'

const server = (isolation?: string): KubeObject => ({
  apiVersion: 'postgresql.weft.dev/v1alpha1',
  kind: 'PostgreSQLServer',
  metadata: { name: 'x' },
  status: { atProvider: isolation === undefined ? {} : { isolation } },
})

const clusterWith = (items: readonly KubeObject[], served = true): Cluster =>
  ({
    kinds: { all: () => Promise.resolve(served ? [{ group: 'postgresql.weft.dev', plural: 'postgresqlservers' }] : []) },
    client: { list: () => Promise.resolve({ items }) },
  }) as unknown as Cluster

describe('isolation of PostgreSQL servers in the status', () => {
  it.each([
    [[server('OwnAccount'), server('OwnAccount')], '2 PostgreSQL, each under an account of its own'],
    [[server('SharedAccount')], /^1 PostgreSQL under a shared account: .*run Weft as root/],
  ] as const)('is told %#', async (items, text) => {
    const found = await readPostgresqlIsolation(clusterWith(items))
    expect(found === undefined ? '' : formatPostgresqlIsolation(found)).toMatch(text)
  })

  it('is not told without servers', async () => {
    expect(await readPostgresqlIsolation(clusterWith([server()]))).toBeUndefined()
    expect(await readPostgresqlIsolation(clusterWith([], false))).toBeUndefined()
  })
})
