import type { GroupKind, KubeObject } from '@weft/api'
import { bindingRow, type ClaimWorldOptions, type ManagedFake, openKind } from './world.fixture.ts'

/** Two clouds with a database each, and what goes with one: the least that all designs can be shown with. */
export const CLAIM: GroupKind = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
export const BUCKET: GroupKind = { group: 'storage.crossplane.io', kind: 'Bucket' }
export const SQL: GroupKind = { group: 'database.gcp.crossplane.io', kind: 'CloudSQLInstance' }
export const SQL_CLASS: GroupKind = { group: 'database.gcp.crossplane.io', kind: 'CloudSQLInstanceClass' }
export const SERVER: GroupKind = { group: 'database.azure.crossplane.io', kind: 'SQLServer' }
export const SERVER_CLASS: GroupKind = { group: 'database.azure.crossplane.io', kind: 'SQLServerClass' }
export const RESOURCE_GROUP: GroupKind = { group: 'azure.crossplane.io', kind: 'ResourceGroup' }
export const RESOURCE_GROUP_CLASS: GroupKind = { group: 'azure.crossplane.io', kind: 'ResourceGroupClass' }

export const KINDS: readonly KubeObject[] = [SQL, SQL_CLASS, SERVER, SERVER_CLASS, RESOURCE_GROUP, RESOURCE_GROUP_CLASS].map(
  ({ group, kind }) => openKind(group, kind, { plural: kind.endsWith('Class') ? `${kind.toLowerCase()}es` : `${kind.toLowerCase()}s` }),
)

export const ROWS: readonly KubeObject[] = [
  bindingRow(CLAIM, SQL_CLASS, SQL, {
    fieldMappings: [{ fromFieldPath: 'spec.engineVersion', toFieldPath: 'spec.forProvider.databaseVersion' }],
  }),
  bindingRow(CLAIM, SERVER_CLASS, SERVER),
  bindingRow(CLAIM, RESOURCE_GROUP_CLASS, RESOURCE_GROUP, { type: 'Supporting' }),
]

export const MANAGED: readonly ManagedFake[] = [
  { kind: SQL, details: { username: 'root', password: 'secret-of-NAME' } },
  { kind: SERVER, details: { username: 'admin', endpoint: 'NAME.example.org' } },
  { kind: RESOURCE_GROUP },
]

export const databases = (more: ClaimWorldOptions = {}): ClaimWorldOptions => ({ kinds: KINDS, objects: ROWS, managed: MANAGED, ...more })

const apiVersion = ({ group }: GroupKind, version = 'v1beta1'): string => `${group}/${version}`

export const claim = (name: string, spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: apiVersion(CLAIM, 'v1alpha1'),
  kind: CLAIM.kind,
  metadata: { namespace: 'default', name, ...metadata },
  spec,
})

export const classOf = (
  kind: GroupKind,
  name: string,
  metadata: Record<string, unknown> = {},
  specTemplate: Record<string, unknown> = { providerRef: { name: 'example' } },
): KubeObject => ({
  apiVersion: apiVersion(kind),
  kind: kind.kind,
  metadata: { name, ...metadata },
  specTemplate,
})

export const refTo = (kind: GroupKind, name: string): Record<string, string> => ({ apiVersion: apiVersion(kind), kind: kind.kind, name })

export const managed = (
  kind: GroupKind,
  name: string,
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): KubeObject => ({
  apiVersion: apiVersion(kind),
  kind: kind.kind,
  metadata: { name, ...metadata },
  spec,
})
