import type { KubeObject } from '@weft/api'
import { EXTERNAL_NAME } from '@weft/composition'
import { type KindInfo, type Role, roleOf } from '../kinds/kind-info.ts'
import type { WorldSnapshot } from './world.ts'
import { STATE_WORDS, stateOf } from './state.ts'

export interface Hit {
  readonly kind: KindInfo
  /** Absent: the kind itself. */
  readonly object?: KubeObject
}

/** What an object is found by besides its kind. Objects do not change: whoever types looks at the same ones again with every letter. */
const TEXTS = new WeakMap<KubeObject, string>()

function textOf(object: KubeObject, role: Role | undefined): string {
  const known = TEXTS.get(object)
  if (known !== undefined) return known
  const { name = '', namespace = '', annotations } = object.metadata
  const state = stateOf(object, role)
  const text = `${namespace}/${name} ${annotations?.[EXTERNAL_NAME] ?? ''} ${state === undefined ? '' : STATE_WORDS[state]}`.toLowerCase()
  TEXTS.set(object, text)
  return text
}

/**
 * Kinds and objects in whose names, external names, states or kinds all words occur, the best first: a name that is the word, one that begins
 * with it, any other.
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
    const role = roleOf(kind)
    for (const object of objects.values())
      consider({ kind, object }, (object.metadata.name ?? '').toLowerCase(), `${kindText} ${textOf(object, role)}`)
  }
  return hits
    .sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ hit }) => hit)
}
