import { defineProvider, type ManagedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { type BridgedProvider, referencePaths } from '@weft/terraform'
import { LateConnector } from './late-connector.ts'
import type { ProviderPrograms } from './provider-programs.ts'

/** Creates take what they take, and end as the provider says: nothing here cuts one off. */
const LONGEST_MS = 24 * 60 * 60_000
/** Reads are calls to somebody's cloud, which counts them. */
const POLL_MS = 10 * 60_000
const AT_ONCE = 10

/** A Terraform provider as a provider like any other. A controller starts for a kind when that is activated. */
export function bridgedDefinition(bridged: BridgedProvider, programs: ProviderPrograms): ProviderDefinition {
  const kinds: ManagedKind[] = []
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
        references: () => referencePaths(bridged.kind(type)?.shape.fields ?? []),
        configKinds: [bridged.configKind],
        externalNames: 'assigned',
        pollIntervalMs: POLL_MS,
        timeoutMs: LONGEST_MS,
        concurrency: AT_ONCE,
      })
    }
  const name = `terraform-${bridged.provider.address.type}`
  const metadata = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name } }
  return defineProvider({ name, kinds, package: { metadata, objects: [] } })
}
