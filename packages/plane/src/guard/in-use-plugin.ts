import type { KubeObject } from '@weft/api'
import type { AdmissionPlugin, ServedKinds } from '@weft/apiserver'
import type { Authority } from '../authority/authority.ts'
import { mayBeInUse, refuseInUse } from './usage-guard.ts'

/** Writes as Weft, on an object of the embedded server. */
export type Annotate = (
  type: { group: string; version: string; kind: string; plural: string; namespaced: boolean },
  object: KubeObject,
  patch: object,
) => Promise<void>

/** Keeps what is in use from being deleted: the plug-in of the embedded server. */
export function inUsePlugin(kinds: () => ServedKinds, authority: Authority, annotate: Annotate): AdmissionPlugin {
  return {
    name: 'WeftUsages',
    validate({ operation, oldObject, type, subresource, user, dryRun, options }) {
      if (operation !== 'DELETE' || subresource !== '' || oldObject === undefined || !mayBeInUse(oldObject)) return undefined
      return refuseInUse(
        { object: oldObject, author: user, dryRun, options },
        {
          known: (kind) => kinds().objects(kind),
          objects: () => [],
          authority,
          note: (object, patch) => annotate(type, object, patch),
        },
      ).then((refusal) => {
        if (refusal !== undefined) throw refusal
      })
    },
  }
}
