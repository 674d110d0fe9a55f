import { isJsonObject, type KubeObject, specOf } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { type CompositeResourceDefinition, isXrd, renderClaimCrd, renderXrCrd } from '@weft/controllers'
import { withPlaceholderUid } from '../render/placeholders.ts'

/** A kind that a CompositeResourceDefinition defines: its composite resource, or the claim of it. */
export interface XrdKind {
  readonly group: unknown
  readonly kind: unknown
  /** Throws a RenderError of the controllers where no kind can come of it. */
  render(): CustomResourceDefinition
}

/** The kinds of a definition, none where it is no such definition; nothing in a file is trusted to have its shape. */
export function xrdKinds(object: KubeObject): readonly XrdKind[] {
  if (!isXrd(object)) return []
  const { group, names, claimNames, versions } = specOf(object)
  if (!isJsonObject(names) || !Array.isArray(versions) || !versions.every(isJsonObject)) return []
  const xrd = withPlaceholderUid(object) as CompositeResourceDefinition
  const kinds: XrdKind[] = [{ group, kind: names['kind'], render: () => renderXrCrd(xrd) }]
  if (isJsonObject(claimNames)) kinds.push({ group, kind: claimNames['kind'], render: () => renderClaimCrd(xrd) })
  return kinds
}
