import { COMPOSITE_LABEL } from '@weft/composition'
import { type KubeObject, specOf, withMeta } from '@weft/api'
import type { XrScope } from '../xrd/xrd.ts'
import { nameOf } from './machinery.ts'

export const INCOMPATIBLE = 'referenced composition is not compatible with this composite resource'

/**
 * K54: what a composite needs before it is composed: the label that everything below it gets, and with claims a place for its connection secret.
 * Undefined when the composition is for another kind. A nested composite keeps the label that it was given.
 */
export function configure(xr: KubeObject, scope: XrScope, composition: KubeObject): KubeObject | undefined {
  const spec = specOf(composition) as {
    readonly compositeTypeRef?: { readonly apiVersion?: string; readonly kind?: string }
    readonly writeConnectionSecretsToNamespace?: string
  }
  if (spec.compositeTypeRef?.apiVersion !== xr.apiVersion || spec.compositeTypeRef?.kind !== xr.kind) return undefined
  const { uid = '' } = xr.metadata
  const marked = labelled(xr)
  const own = specOf(xr) as { readonly writeConnectionSecretToRef?: { readonly name?: string } }
  const namespace = spec.writeConnectionSecretsToNamespace
  if (scope !== 'LegacyCluster' || !namespace || nameOf(own.writeConnectionSecretToRef) !== undefined) return marked
  return { ...marked, spec: { ...own, writeConnectionSecretToRef: { name: uid, namespace } } }
}

/** With the label that everything below it gets; it has it even if nothing can be composed. */
export function labelled(xr: KubeObject): KubeObject {
  const { labels = {}, name = '' } = xr.metadata
  return labels[COMPOSITE_LABEL] ? xr : withMeta(xr, { labels: { ...labels, [COMPOSITE_LABEL]: name } })
}
