import type { KubeObject } from '../meta.ts'

/** On everything that Weft installs into a cluster, and on nothing else. */
export const PART_OF_WEFT: Readonly<Record<string, string>> = { 'app.kubernetes.io/part-of': 'weft' }

/** Left by the generator that Crossplane's kinds, and those of most controllers in Go, come from. Weft's have never had it. */
const MADE_ELSEWHERE = 'controller-gen.kubebuilder.io/version'

/**
 * May Weft change or remove this object, which has a name that Weft uses? Only what carries its label, or was applied by it and lost the label
 * since. A kind of Weft's that another product has written its own over is that product's: the label outlives such a write.
 */
export function isOfWeft({ metadata }: KubeObject): boolean {
  if (metadata.annotations?.[MADE_ELSEWHERE] !== undefined) return false
  if (Object.entries(PART_OF_WEFT).every(([key, value]) => metadata.labels?.[key] === value)) return true
  return (metadata.managedFields ?? []).some((entry) => /^weft(-install|-rbac)?$/.test((entry as { manager?: string }).manager ?? ''))
}
