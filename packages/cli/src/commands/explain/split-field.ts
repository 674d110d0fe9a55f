import { parseGroupVersion } from '@weft/api'
import type { ServedKind } from '@weft/client'
import { chooseKind, findKind } from '../../cluster/index.ts'

export interface SplitField {
  readonly word: string
  readonly path: readonly string[]
  /** undefined: no kind that the server serves. */
  readonly served: ServedKind | undefined
}

/** `databases.spec.x` or `databases.example.org.spec.x`: the longest beginning that is a kind. Refuses a word that kinds of several groups share. */
export function splitField(all: readonly ServedKind[], field: string, apiVersion: string | undefined): SplitField {
  const parts = field.replace(/\.+$/, '').split('.')
  const { group, version } = parseGroupVersion(apiVersion ?? '')
  const kinds = all.filter((kind) => apiVersion === undefined || (kind.group === group && kind.version === version))
  for (let length = parts.length; length > 0; length--) {
    const word = parts.slice(0, length).join('.')
    const qualified = kinds.filter((kind) => isExactly(kind, parts.slice(1, length).join('.')))
    const served = length === 1 ? chooseKind(kinds, word) : findKind(qualified, word)
    if (served !== undefined) return { word, path: parts.slice(length), served }
  }
  return { word: parts[0] ?? '', path: parts.slice(1), served: undefined }
}

const isExactly = ({ group, version }: ServedKind, qualifier: string): boolean => group === qualifier || `${version}.${group}` === qualifier
