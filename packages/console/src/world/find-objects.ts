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
 * with it, any other; the shorter first. Looks at ten thousand objects with every letter: nothing is put together that is not needed.
 */
export function findObjects(world: WorldSnapshot, text: string, most: number): readonly Hit[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  if (first === undefined) return []
  const best = bestOf(most)
  const rank = (name: string): number => (name === first ? 0 : name.startsWith(first) ? 1 : 2)
  for (const { kind, objects } of world.collections.values()) {
    const kindText = `${kind.kind} ${kind.plural} ${kind.shortNames.join(' ')}`.toLowerCase()
    if (words.every((word) => kindText.includes(word) || kind.group.includes(word)))
      best.add({ hit: { kind }, name: kind.kind.toLowerCase(), rank: rank(kind.kind.toLowerCase()) })
    // Each kind is found as itself; its definition would only be in the way.
    if (kind.kind === 'CustomResourceDefinition') continue
    const role = roleOf(kind)
    // What the kind says already, its objects need not say.
    const left = words.filter((word) => !kindText.includes(word))
    for (const object of objects.values()) {
      const own = textOf(object, role)
      if (!left.every((word) => own.includes(word))) continue
      const name = (object.metadata.name ?? '').toLowerCase()
      best.add({ hit: { kind, object }, name, rank: rank(name) })
    }
  }
  return best.all().map(({ hit }) => hit)
}

interface Candidate {
  readonly hit: Hit
  readonly name: string
  readonly rank: number
}

const compare = (a: Candidate, b: Candidate): number =>
  a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** The best few of any number, in order. */
function bestOf(most: number): { add(candidate: Candidate): void; all(): readonly Candidate[] } {
  const best: Candidate[] = []
  return {
    add: (candidate) => {
      const last = best.at(-1)
      if (best.length === most && last !== undefined && compare(candidate, last) >= 0) return
      const at = best.findIndex((each) => compare(candidate, each) < 0)
      best.splice(at < 0 ? best.length : at, 0, candidate)
      if (best.length > most) best.pop()
    },
    all: () => best,
  }
}
