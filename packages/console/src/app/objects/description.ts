import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { KindInfo } from '../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../live/world.ts'

/** Where Kubernetes has people describe objects. */
const DESCRIPTION = 'kubernetes.io/description'

/** What its author says of an object: an annotation, else the schema that it defines. */
export function descriptionOf({ metadata, spec }: KubeObject & { readonly spec?: unknown }): string | undefined {
  return (
    text(metadata.annotations?.[DESCRIPTION]) ??
    text(at(spec, 'crdSpecTemplate', 'validation', 'openAPIV3Schema', 'description')) ??
    ofVersions(spec)
  )
}

/** What its definition says of a kind. */
export function kindDescription(world: WorldSnapshot, { group, plural }: Pick<KindInfo, 'group' | 'plural'>): string | undefined {
  const definition = world.collections.get('CustomResourceDefinition.apiextensions.k8s.io')?.objects.get(`/${plural}.${group}`)
  return definition && descriptionOf(definition)
}

/** The first sentence: the rest is for the page of the kind. */
export const firstSentence = (description: string): string => /^[\s\S]*?[.!?](?=\s+[A-Z]|\s*$)/.exec(description)?.[0] ?? description

function ofVersions(spec: unknown): string | undefined {
  const versions = at(spec, 'versions')
  for (const version of Array.isArray(versions) ? versions : []) {
    const found = text(at(version, 'schema', 'openAPIV3Schema', 'description'))
    if (found !== undefined) return found
  }
  return undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)
