import type { KubeObject } from '@weft/api'
import type { ServedKind } from '@weft/client'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { formatDefinedConnection } from './connection.ts'
import { findDefinedConnection } from './defined-connection.ts'

const definition = (kind: string, connectionDetails?: readonly string[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'InfrastructureDefinition',
  metadata: { name: `${kind.toLowerCase()}s.example.org` },
  spec: { crdSpecTemplate: { group: 'example.org', names: { kind } }, ...(connectionDetails && { connectionDetails }) },
})
const cluster = {
  client: { list: () => Promise.resolve({ items: [definition('Store', ['password', 'endpoint']), definition('Open')] }) },
} as unknown as Cluster
const served = (kind: string, group = 'example.org'): ServedKind => ({ group, kind }) as ServedKind

describe('explaining the connection of a kind that is composed', () => {
  it.each([
    { reason: 'C16: what its definition promises', kind: served('Store'), shows: /password\s+<string>\n\s+endpoint/ },
    { reason: 'C32: the same for its requirement', kind: served('StoreRequirement'), shows: /KIND: +StoreRequirement[\s\S]*password/ },
    { reason: 'no promise', kind: served('Open'), shows: /promises no connection details/ },
  ])('$reason', async ({ kind, shows }) => {
    const found = await findDefinedConnection(cluster, kind)
    expect(found && formatDefinedConnection(found)).toMatch(shows)
  })

  it('knows nothing of other kinds', async () => {
    expect(await findDefinedConnection(cluster, served('Store', 'other.org'))).toBeUndefined()
  })
})
