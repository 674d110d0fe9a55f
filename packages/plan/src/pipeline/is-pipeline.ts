import type { KubeObject } from '@weft/api'

/** Is what is given a composition of functions, rather than templates? */
export const isPipeline = (objects: readonly KubeObject[]): boolean => objects.some(isComposition)

export const isComposition = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === 'Composition' && apiVersion === 'apiextensions.crossplane.io/v1'
