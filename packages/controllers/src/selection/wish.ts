import { getOwn, type KubeObject } from '@weft/api'
import { matchLabelsOf, specOf, specRef } from '../binding/spec-reference.ts'

/** S4: what a claim says about where it is to be satisfied from; the first that applies counts. */
export type Wish =
  /** `resourceRef`: this very resource; classes do not matter. */
  | { readonly type: 'resource' }
  /** `classRef`: this very class. */
  | { readonly type: 'class' }
  /** `classSelector`: any class with these labels, and never the default class (S17). */
  | { readonly type: 'selector'; readonly labels: Readonly<Record<string, string>> }
  /** Nothing: a default class. */
  | { readonly type: 'default' }

export function wishOf(claim: KubeObject): Wish {
  if (specRef(claim, 'resourceRef') !== undefined) return { type: 'resource' }
  if (specRef(claim, 'classRef') !== undefined) return { type: 'class' }
  const labels = matchLabelsOf(getOwn(specOf(claim), 'classSelector'))
  return labels === undefined ? { type: 'default' } : { type: 'selector', labels }
}

/** S14: binders look only at claims that somebody has decided about. */
export const isDecided = (claim: KubeObject): boolean => {
  const { type } = wishOf(claim)
  return type === 'resource' || type === 'class'
}
