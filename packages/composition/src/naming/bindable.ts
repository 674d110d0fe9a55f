import { gvkOf, getOwn, type KubeObject } from '@weft/api'

const BINDABLE = 'bindable'

/** F12: the annotation that lets claims of one kind bind a composite: `mysqlinstance.database.example.org/v1alpha1: bindable`. */
export function bindableAnnotation(claim: { readonly apiVersion: string; readonly kind: string }): Readonly<Record<string, string>> {
  const { group, version, kind } = gvkOf(claim)
  return { [`${kind.toLowerCase()}.${group}/${version}`]: BINDABLE }
}

/** May claims of this kind bind the composite? Any version of the kind will do (X4). */
export function isBindableBy(
  composite: Pick<KubeObject, 'metadata'>,
  claim: { readonly apiVersion: string; readonly kind: string },
): boolean {
  const { group, kind } = gvkOf(claim)
  const annotations = composite.metadata.annotations ?? {}
  return Object.keys(annotations).some((key) => key.startsWith(`${kind.toLowerCase()}.${group}/`) && getOwn(annotations, key) === BINDABLE)
}
