import { createHash } from 'node:crypto'
import { isJsonObject, type KubeObject } from '@weft/api'
import type { RevisionObject } from '@weft/controllers'
import { type Package, parseSource } from '@weft/xpkg'

/** In the metadata of a provider's package: the family that it belongs to. */
const DECLARED = 'pkg.crossplane.io/provider-family'
/** On a ClusterRole: for all programs of this family. */
export const FAMILY_LABEL = 'pkg.weft.dev/provider-family'
/** On the same: kinds in which the family is configured, `Kind.group`, separated by commas. */
const CONFIGURED_BY = 'pkg.weft.dev/configured-by'

/**
 * Large providers come as a family: one package brings the ProviderConfigs, many others use them, and refer to resources of one another. Who is of a family is what a package says
 * of itself, so it counts only among packages of one organisation in one registry: nobody else can put one there. Undefined for those of no family, and for what came from a
 * path, where nobody vouches for anything.
 */
export const familyOf = (revision: RevisionObject, { metadata: { metadata } }: Package): string | undefined =>
  familyNamed(revision, metadata.labels?.[DECLARED])

/** The same, by the label that a revision has of its package. */
export const labelledFamily = (revision: RevisionObject): string | undefined => familyNamed(revision, revision.metadata.labels?.[DECLARED])

function familyNamed({ spec }: RevisionObject, declared: string | undefined): string | undefined {
  if (declared === undefined || declared === '') return undefined
  const source = parseSource(spec.image)
  if (source.kind !== 'image') return undefined
  const { registry, repository } = source.image
  const organisation = repository.split('/').slice(0, -1).join('/')
  if (organisation === '') return undefined
  return createHash('sha256').update([registry, organisation, declared].join('\n')).digest('hex').slice(0, 40)
}

/** Annotations of the role that shares the kinds of a package: which of them tell its family how to reach what it manages. */
export function configuredBy({ objects }: Package): Readonly<Record<string, string>> {
  const kinds = objects.flatMap(({ kind, ...object }) => {
    const { group, names } = (object['spec'] ?? {}) as { group?: string; names?: { kind?: string } }
    const isConfiguration = kind === 'CustomResourceDefinition' && /^(Cluster)?ProviderConfig$/.test(names?.kind ?? '')
    return isConfiguration ? [`${names?.kind ?? ''}.${group ?? ''}`] : []
  })
  return { [CONFIGURED_BY]: kinds.toSorted().join(',') }
}

/** The kinds that such a role names. */
export function configurationKinds({ metadata }: KubeObject): readonly { readonly group: string; readonly kind: string }[] {
  const text = isJsonObject(metadata.annotations) ? metadata.annotations[CONFIGURED_BY] : undefined
  return (typeof text === 'string' ? text.split(',') : []).flatMap((each) => {
    const at = each.indexOf('.')
    return at > 0 ? [{ kind: each.slice(0, at), group: each.slice(at + 1) }] : []
  })
}
