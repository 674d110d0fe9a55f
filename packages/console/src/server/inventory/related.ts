import { type TraceNode, traceTree } from '@weft/composition'
import type { ObjectReference, RelatedFeed } from '../../contract.ts'
import { refOf } from '../../world/state.ts'
import { topOf } from '../../world/top-of.ts'
import { find, nameKey } from '../../world/world.ts'
import { Refusal } from '../answer.ts'
import type { InventoryState } from './inventory.ts'

/** More are looked for by the page itself, kind by kind. */
const MOST = 500

interface RelatedQuestion {
  readonly group: string
  readonly plural: string
  readonly namespace: string
  readonly name: string
}

export function readRelatedQuestion(query: URLSearchParams): RelatedQuestion {
  const [group = '', plural = '', namespace = '', name = ''] = ['group', 'plural', 'in', 'name'].map((field) => query.get(field) ?? '')
  if (plural === '' || name === '') throw new Refusal(400, 'BadRequest', 'say of which object: group, plural and name')
  return { group, plural, namespace, name }
}

/** What an object belongs to, of what is seen: all that is in the tree of what it was made for. Undefined while its kind is being read. */
export function relatedIn({ areKindsKnown, world }: InventoryState, asked: RelatedQuestion): RelatedFeed | undefined {
  const collection = [...world.collections.values()].find(({ kind }) => kind.group === asked.group && kind.plural === asked.plural)
  if (!areKindsKnown || (collection !== undefined && !collection.loaded && collection.state.phase === 'listing')) return undefined
  const object = collection?.objects.get(nameKey(collection.kind.namespaced ? asked.namespace : undefined, asked.name))
  if (object === undefined) return { objects: [], ...(collection?.state.phase === 'refused' && { isRefused: true }) }
  const { node } = traceTree(topOf(world, refOf(object)), (ref) => find(world, ref))
  return { objects: refsOf(node).slice(0, MOST) }
}

const refsOf = ({ ref, children }: TraceNode): readonly ObjectReference[] => [ref, ...children.flatMap(refsOf)]
