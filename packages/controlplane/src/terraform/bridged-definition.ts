import { statedIdentity } from '@weft/bridge'
import { defineProvider, ExternalError, type ManagedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { type BridgedProvider, referencePaths } from '@weft/terraform'
import type { FormerKind } from './former-kinds.ts'
import { LateConnector } from './late-connector.ts'
import type { ProviderPrograms } from './provider-programs.ts'

/** Creates take what they take, and end as the provider says: nothing here cuts one off. */
const LONGEST_MS = 24 * 60 * 60_000
/** Reads are calls to somebody's cloud, which counts them. */
const POLL_MS = 10 * 60_000
const AT_ONCE = 10

/** What all kinds of a provider have in common; ownership is told by some of it. */
const inCommon = ({ configKind }: BridgedProvider): Omit<ManagedKind, 'group' | 'kind' | 'connector'> => ({
  configKinds: [configKind],
  externalNames: 'assigned',
  pollIntervalMs: POLL_MS,
  timeoutMs: LONGEST_MS,
  concurrency: AT_ONCE,
})

/**
 * A Terraform provider as a provider like any other. A controller starts for a kind when that is activated. Objects of `former` kinds say that they are
 * left alone.
 */
export function bridgedDefinition(
  bridged: BridgedProvider,
  programs: ProviderPrograms,
  former: readonly FormerKind[] = [],
): ProviderDefinition {
  const kinds: ManagedKind[] = former.map(({ group, kind, why }) => ({
    group,
    kind,
    connector: { connect: () => Promise.reject(new ExternalError('Invalid', why)), release: programs.release },
    ...inCommon(bridged),
  }))
  for (const sort of ['resource', 'data'] as const)
    for (const [name, { kind }] of bridged.names[sort]) {
      const type = { sort, name }
      kinds.push({
        group: bridged.group,
        kind,
        connector: new LateConnector(() => {
          const found = bridged.kind(type)
          if (found === undefined) throw new Error(`the provider has no type ${name}`)
          return programs.connector(found)
        }),
        statedName: (resource) => statedIdentity({ schema: bridged.schema, type: name, sort }, resource),
        references: () => referencePaths(bridged.kind(type)?.shape.fields ?? []),
        ...inCommon(bridged),
      })
    }
  const name = `terraform-${bridged.provider.address.type}`
  const metadata = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name } }
  return defineProvider({ name, kinds, package: { metadata, objects: [] } })
}
