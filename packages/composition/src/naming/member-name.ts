import type { KubeObject } from '@weft/api'

/**
 * X1: what a generated name starts with, to be handed to `generateName`. For a namespaced intent (a claim, a requirement) that is
 * `{namespace}-{name}-`, so that names from different namespaces do not meet at the cluster scope.
 */
export function intentNamePrefix({ metadata }: Pick<KubeObject, 'metadata'>): string {
  const parts = [metadata.namespace, metadata.name].filter((part) => part !== undefined && part !== '')
  return `${parts.join('-')}-`
}

/** X1: composed resources are named after their composite alone, `{composite}-`, even in a namespace: they live in the same one. */
export const composedNamePrefix = (compositeName: string): string => `${compositeName}-`
