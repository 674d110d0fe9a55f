import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { formatProgramIsolation, readProgramIsolation } from './program-isolation.ts'

const revision = (desiredState: string, isolation?: string, more: object = {}): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'FunctionRevision',
  metadata: { name: 'x' },
  spec: { desiredState },
  status: { process: { restarts: 0, ...(isolation !== undefined && { isolation }), ...more } },
})

const clusterWith = (...items: readonly KubeObject[]): Cluster =>
  ({
    kinds: {
      all: () => Promise.resolve(['v1', 'v1beta1'].map((version) => ({ group: 'pkg.crossplane.io', version, kind: 'FunctionRevision' }))),
    },
    client: { list: () => Promise.resolve({ items }) },
  }) as unknown as Cluster

describe('isolation of the programs of packages in the status', () => {
  it('is told by how many there are', async () => {
    const found = await readProgramIsolation(
      clusterWith(revision('Active', 'user'), revision('Active', 'user'), revision('Inactive', 'none')),
    )
    expect(formatProgramIsolation(found ?? new Map())).toBe('2 from images, each with a user and a root folder of its own')
  })

  it('tells of ports that the system chose', async () => {
    const found = await readProgramIsolation(clusterWith(revision('Active', 'user'), revision('Active', 'user', { ports: [4711] })))
    expect(formatProgramIsolation(found ?? new Map())).toMatch(/^2 from images, .*; 1 with ports that the system chose/)
  })

  it('says what to do where there is none', async () => {
    expect(formatProgramIsolation((await readProgramIsolation(clusterWith(revision('Active', 'none')))) ?? new Map())).toMatch(
      /install bubblewrap/,
    )
  })

  it('is not told without any', async () => {
    expect(await readProgramIsolation(clusterWith(revision('Active')))).toBeUndefined()
  })
})
