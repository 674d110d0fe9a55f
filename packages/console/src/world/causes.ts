import type { KubeObject } from '@weft/api'
import { type TraceNode, traceTree } from '@weft/composition'
import { find, type WorldSnapshot } from './world.ts'
import { type Attention, needsAttention } from './attention.ts'
import { type NodeState, refOf, STATE_ORDER } from './state.ts'

/** Objects that are not ready for the same reason. */
export interface Cause {
  /** Of the worst of them. */
  readonly state: NodeState
  /** In words that name none of them: `CloudSQLInstance cannot be synced: quota exceeded`, `12 kinds cannot be synced: quota exceeded`. */
  readonly text: string
  readonly objects: readonly Attention[]
}

/** Of ten thousand that fail for a thousand reasons nobody reads all; to find out why each does takes time that drawing needs. */
const MOST = 1000

/** What needs attention, by what is to blame; the worst and most frequent first. `total`: how many objects there are, `more`: how many were not looked at. */
export function causesOf(world: WorldSnapshot): { readonly causes: readonly Cause[]; readonly total: number; readonly more: number } {
  const { shown, total } = needsAttention(world, MOST)
  const byText = new Map<string, { readonly kinds: Set<string>; readonly objects: Attention[] }>()
  for (const attention of shown) {
    const { kind, text } = causeText(world, attention)
    const same = byText.get(text) ?? { kinds: new Set(), objects: [] }
    byText.set(text, same)
    same.objects.push(attention)
    if (kind !== undefined) same.kinds.add(kind)
  }
  const causes = [...byText].map(([text, { kinds, objects }]) => ({
    state: objects[0]?.state ?? 'waiting',
    text: `${kindWords(kinds)}${text}`,
    objects,
  }))
  const rank = ({ state }: Cause): number => STATE_ORDER.indexOf(state)
  causes.sort((a, b) => rank(a) - rank(b) || b.objects.length - a.objects.length)
  return { causes, total, more: total - shown.length }
}

const kindWords = (kinds: ReadonlySet<string>): string => (kinds.size > 1 ? `${kinds.size} kinds` : ([...kinds][0] ?? ''))

/**
 * What is to blame, without its name, and its kind where that comes first in the text: a database and a disk that wait for the same cloud wait for the same
 * reason.
 */
function causeText(world: WorldSnapshot, { object, worst, why, state }: Attention): { readonly kind?: string; readonly text: string } {
  if (state === 'paused') return { text: 'Reconciling is paused; nothing is done until it is resumed.' }
  const { node } = traceTree(refOf(worst), (ref) => find(world, ref))
  const blamed = blamedBy(node)
  const names = new Set([...namesOf(object), ...namesOf(worst), blamed.ref.name, blamed.externalName ?? ''])
  const own = `${blamed.ref.kind} ${blamed.ref.namespace === undefined ? '' : `${blamed.ref.namespace}/`}${blamed.ref.name}`
  const isNamed = why.startsWith(own)
  const text = [...names]
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((shorter, name) => shorter.replaceAll(name, '…'), isNamed ? why.slice(own.length) : why)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '…')
  return { ...(isNamed && { kind: blamed.ref.kind }), text }
}

/** The deepest node that says the same as the root. */
function blamedBy(node: TraceNode): TraceNode {
  const deeper = node.children.find(({ why }) => why !== undefined && why === node.why)
  return deeper === undefined ? node : blamedBy(deeper)
}

const namesOf = ({ metadata: { namespace, name = '' } }: KubeObject): readonly string[] =>
  namespace === undefined ? [name] : [`${namespace}/${name}`, name]
