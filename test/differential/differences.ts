import type { Difference } from './compare.ts'
import type { Call } from './endpoint.ts'

export interface Context {
  readonly call: Call
  readonly difference: Difference
  readonly weft: any
  readonly kubernetes: any
}

/** A way in which the embedded server may answer differently from kube-apiserver. docs/differences.md lists them all. */
export interface AllowedDifference {
  readonly id: string
  readonly what: string
  readonly why: string
  readonly matches: (context: Context) => boolean
}

export const allowedDifferences: readonly AllowedDifference[] = []

export const allowed = (context: Context): boolean => allowedDifferences.some(({ matches }) => matches(context))
