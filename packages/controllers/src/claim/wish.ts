import {
  getOwn,
  isJsonObject,
  type KubeObject,
  type LabelRequirement,
  type LabelSelector,
  requirementsOf,
  SelectorError,
  specOf,
} from '@weft/api'
import { specRef } from '../binding/spec-reference.ts'

/** S4: what a claim says about where it is to be satisfied from; the first that applies counts. */
export type Wish =
  /** `resourceRef`: this very resource; classes do not matter. */
  | { readonly type: 'resource' }
  /** `classRef`: this very class. */
  | { readonly type: 'class' }
  /** `classSelector`: any class with these labels, and never the default class (S17). */
  | { readonly type: 'selector'; readonly requirements: readonly LabelRequirement[] }
  /** A selector that says nothing, perhaps because what it said is no field of the kind, or nothing sensible. It is not taken to mean any class. */
  | { readonly type: 'unclear'; readonly why: string }
  /** Nothing: a default class. */
  | { readonly type: 'default' }

export function wishOf(claim: KubeObject): Wish {
  if (specRef(claim, 'resourceRef') !== undefined) return { type: 'resource' }
  if (specRef(claim, 'classRef') !== undefined) return { type: 'class' }
  const selector = getOwn(specOf(claim), 'classSelector')
  return selector === undefined || selector === null ? { type: 'default' } : readSelector(selector)
}

function readSelector(selector: unknown): Wish {
  try {
    const requirements = isJsonObject(selector) ? requirementsOf(selector as LabelSelector) : []
    if (requirements.length > 0) return { type: 'selector', requirements }
  } catch (error) {
    const why = error instanceof SelectorError ? error.message : 'it is not a label selector'
    return { type: 'unclear', why: `spec.classSelector cannot be used: ${why}` }
  }
  return {
    type: 'unclear',
    why: 'spec.classSelector names no labels, which would match any class: set matchLabels or matchExpressions, or omit it to use the default class',
  }
}

/** S14: binders look only at claims that somebody has decided about. */
export const isDecided = (claim: KubeObject): boolean => {
  const { type } = wishOf(claim)
  return type === 'resource' || type === 'class'
}
