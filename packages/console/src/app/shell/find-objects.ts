import type { KubeObject } from '@weft/api'
import type { KindInfo } from '../kinds/kind-info.ts'
import type { WorldSnapshot } from '../live/world.ts'

export interface Hit {
  readonly kind: KindInfo
  /** Absent: the kind itself. */
  readonly object?: KubeObject
}

/**
 * Kinds and objects in whose names all words occur, the best first: a name that is the word, one that begins with it, any other.
 */
export function findObjects(world: WorldSnapshot, text: string, most: number): readonly Hit[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  if (first === undefined) return []
  const hits: { hit: Hit; rank: number; name: string }[] = []
  const consider = (hit: Hit, name: string, haystack: string): void => {
    if (!words.every((word) => haystack.includes(word))) return
    hits.push({ hit, name, rank: name === first ? 0 : name.startsWith(first) ? 1 : 2 })
  }
  for (const { kind, objects } of world.collections.values()) {
    const kindText = `${kind.kind} ${kind.plural} ${kind.shortNames.join(' ')}`.toLowerCase()
    consider({ kind }, kind.kind.toLowerCase(), `${kindText} ${kind.group}`)
    // Each kind is found as itself; its definition would only be in the way.
    if (kind.kind === 'CustomResourceDefinition') continue
    for (const object of objects.values()) {
      const name = (object.metadata.name ?? '').toLowerCase()
      consider({ kind, object }, name, `${kindText} ${object.metadata.namespace ?? ''}/${name}`)
    }
  }
  return hits
    .sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ hit }) => hit)
}
