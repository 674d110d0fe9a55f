import { refAt } from '../binding/spec-reference.ts'
import type { KubeObject } from '@weft/api'
import type { IndexFunction, InformerReader } from '@weft/client'

/** A composite, and the uid of the requirement that it says it is bound to. */
export interface Bound {
  readonly name: string
  readonly uid: string
}

/** Which composites are bound to which requirement, from memory: answers may be a moment old, and cost nothing. */
export interface BoundComposites {
  /** Those bound to the requirement with this uid. */
  byUid(uid: string): readonly KubeObject[]
  /** Those bound to a requirement of this name, with the uid that it had. */
  byName(ref: { readonly name: string; readonly namespace?: string | undefined }): readonly Bound[]
}

const BY_UID = 'requirement-uid'
const BY_NAME = 'requirement-name'

/** How composites must be filed for that. */
export const BOUND_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [BY_UID]: (composite) => [ownerOf(composite)?.uid ?? ''],
  [BY_NAME]: (composite) => [keyOf(ownerOf(composite))],
}

export function boundComposites(composites: InformerReader): BoundComposites {
  return {
    byUid: (uid) => (uid === '' ? [] : composites.byIndex(BY_UID, uid)),
    byName: (ref) =>
      composites.byIndex(BY_NAME, keyOf(ref)).flatMap((composite) => {
        const uid = ownerOf(composite)?.uid ?? ''
        // Bound before uids were written down: no telling.
        return uid === '' ? [] : [{ name: composite.metadata.name ?? '', uid }]
      }),
  }
}

const keyOf = (ref: { readonly name: string; readonly namespace?: string | undefined } | undefined): string =>
  ref === undefined ? '' : `${ref.namespace ?? ''}/${ref.name}`

/** The requirement that a composite says it is bound to. */
export function ownerOf(composite: KubeObject): { namespace: string; name: string; uid: string } | undefined {
  const { namespace = '', name = '', uid = '' } = refAt(composite, 'spec.infrastructure', 'requirementRef') ?? {}
  return name === '' ? undefined : { namespace, name, uid }
}
