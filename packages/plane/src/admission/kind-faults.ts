import { isJsonObject, type KubeObject, specOf } from '@weft/api'
import { type CompositeResourceDefinition, renderClaimCrd, RenderError, renderXrCrd } from '@weft/controllers'
import { crdFaults } from '@weft/schema'

/**
 * Why no kind comes of a CompositeResourceDefinition as it is written, or no claim: what a controller would only tell by an event, later. One of a
 * wrong shape, of which its own schema tells, has none. Pure.
 */
export function kindFaults(definition: KubeObject): readonly string[] {
  const { names, group, versions, claimNames } = specOf(definition)
  if (!isJsonObject(names) || !Array.isArray(versions) || !versions.every(isJsonObject)) return []
  const name = `${String(names['plural'])}.${String(group)}`
  if (definition.metadata.name !== name) return [`metadata.name: must be "${name}", the plural and the group of the kind; it makes no kind`]
  const stored = versions.filter(({ referenceable }) => referenceable === true).length
  if (stored !== 1) return [`spec.versions: exactly one must be referenceable, not ${stored}; it makes no kind`]
  const xrd = { ...definition, metadata: { ...definition.metadata, uid: 'none' } } as unknown as CompositeResourceDefinition
  const faults = faultsOf(() => renderXrCrd(xrd), 'it makes no kind')
  return faults.length === 0 && isJsonObject(claimNames) ? faultsOf(() => renderClaimCrd(xrd), 'it makes no kind of claims') : faults
}

function faultsOf(render: () => KubeObject, consequence: string): readonly string[] {
  try {
    return crdFaults(render()).map(({ path, message }) => `${whereWritten(path)}: ${message}; ${consequence}`)
  } catch (error) {
    if (error instanceof RenderError) return [`spec: ${error.message}; ${consequence}`]
    if (error instanceof TypeError) return []
    throw error
  }
}

/** Versions and their schemas stand in a definition as they do in its kind; the schema of an only version is called another way there. */
const whereWritten = (path: string): string => path.replace(/^spec\.validation\./, 'spec.versions[0].schema.')
