import { isJsonObject, type KubeObject, specOf } from '@weft/api'
import { type Kind, NoMatchError, type ServedKind } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'

/** What the secret of a composite, or of a requirement for one, holds: what its definition promises. */
export interface DefinedConnection {
  readonly group: string
  readonly kind: string
  /** Undefined: no promise was made; everything that the Composition exposes is there. */
  readonly promised: readonly string[] | undefined
}

const DEFINITION: Kind = { group: 'apiextensions.crossplane.io', version: 'v1alpha1', kind: 'InfrastructureDefinition' }
const REQUIREMENT = 'Requirement'

export async function findDefinedConnection(cluster: Cluster, { group, kind }: ServedKind): Promise<DefinedConnection | undefined> {
  const names = new Set([kind, ...(kind.endsWith(REQUIREMENT) ? [kind.slice(0, -REQUIREMENT.length)] : [])])
  for (const object of await definitions(cluster)) {
    const spec = specOf(object)
    const template = isJsonObject(spec['crdSpecTemplate']) ? spec['crdSpecTemplate'] : {}
    const defined = isJsonObject(template['names']) ? template['names']['kind'] : undefined
    if (template['group'] !== group || typeof defined !== 'string' || !names.has(defined)) continue
    const details: unknown = spec['connectionDetails']
    return { group, kind, promised: Array.isArray(details) ? details.filter((detail) => typeof detail === 'string') : undefined }
  }
  return undefined
}

async function definitions(cluster: Cluster): Promise<readonly KubeObject[]> {
  try {
    return (await cluster.client.list(DEFINITION)).items
  } catch (error) {
    // A server without Weft has none.
    if (error instanceof NoMatchError) return []
    throw error
  }
}
