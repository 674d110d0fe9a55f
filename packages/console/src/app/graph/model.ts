import { isPaused } from '@weft/api'
import { traceKey, type TraceNode, type TraceRef, traceTree } from '@weft/composition'
import { find, type WorldSnapshot } from '../../world/world.ts'
import { externalPlace } from '../objects/external-place.ts'
import { type NodeState } from '../../world/state.ts'

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
  /** Absent for what is no object of the API: an external resource, a fold. */
  readonly ref?: TraceRef
  readonly state: NodeState
  readonly why?: string
  /** `Composition/private` */
  readonly madeFrom?: string
  /** How many nodes this one stands for, when it stands for several. */
  readonly folded?: number
}

export interface GraphEdge {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** First stage: what there is to draw, the root first, parents before their children. */
export interface GraphModel {
  readonly root: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** The tree of `root` as nodes and edges. One object that several others name is one node. */
export function modelOf(world: WorldSnapshot, root: TraceRef): GraphModel {
  const nodes = new Map<string, GraphNode>()
  const edges = new Map<string, GraphEdge>()
  const connect = (from: string | undefined, to: string): void => {
    if (from !== undefined) edges.set(`${from}→${to}`, { id: `${from}→${to}`, from, to })
  }
  const visit = (traced: TraceNode, parent: string | undefined): void => {
    const id = traceKey(traced.ref)
    connect(parent, id)
    if (nodes.has(id)) return
    nodes.set(id, nodeOf(world, id, traced))
    for (const child of traced.children) visit(child, id)
    if (traced.externalName === undefined) return
    const external = `${id}#external`
    const object = find(world, traced.ref)
    const place = object ? externalPlace(object) : undefined
    nodes.set(external, {
      id: external,
      kind: traced.ref.kind,
      name: traced.externalName,
      state: 'external',
      ...(place !== undefined && { madeFrom: place }),
    })
    connect(id, external)
  }
  const { node } = traceTree(root, (ref) => find(world, ref))
  visit(node, undefined)
  return { root: traceKey(node.ref), nodes: [...nodes.values()], edges: [...edges.values()] }
}

function nodeOf(world: WorldSnapshot, id: string, { ref, state, why, madeFrom }: TraceNode): GraphNode {
  const object = find(world, ref)
  const shown: NodeState = object === undefined ? 'hidden' : object && isPaused(object) && state !== 'deleting' ? 'paused' : state
  return {
    id,
    kind: ref.kind,
    name: ref.name,
    ...(ref.namespace !== undefined && { namespace: ref.namespace }),
    ref,
    state: shown,
    ...(why !== undefined && shown !== 'hidden' && { why }),
    ...(madeFrom !== undefined && { madeFrom }),
  }
}
