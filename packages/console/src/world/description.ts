import { getOwn, isJsonObject, type KubeObject } from '@weft/api'

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
