import type { Position } from './layout.ts'
import type { GraphEdge, GraphModel, GraphNode } from './model.ts'

/** What the view draws: nodes where they are, edges with the state of what they lead to. */
export interface Scene {
  readonly nodes: readonly SceneNode[]
  readonly edges: readonly SceneEdge[]
}

export interface SceneNode {
  readonly id: string
  readonly position: Position
  readonly data: GraphNode
}

export interface SceneEdge extends GraphEdge {
  readonly state: GraphNode['state']
}

export const EMPTY_SCENE: Scene = { nodes: [], edges: [] }

/**
 * Last stage: the next scene. Whatever did not change is the same object as in `previous`, and the scene itself when nothing did, so
 * that only what changed is drawn again.
 */
export function updateScene(previous: Scene, model: GraphModel, positions: ReadonlyMap<string, Position>): Scene {
  const states = new Map(model.nodes.map(({ id, state }) => [id, state]))
  const oldNodes = new Map(previous.nodes.map((node) => [node.id, node]))
  const oldEdges = new Map(previous.edges.map((edge) => [edge.id, edge]))
  const nodes = model.nodes.map((data): SceneNode => {
    const position = positions.get(data.id) ?? { x: 0, y: 0 }
    const old = oldNodes.get(data.id)
    return old !== undefined && sameNode(old.data, data) && old.position.x === position.x && old.position.y === position.y
      ? old
      : { id: data.id, position, data }
  })
  const edges = model.edges.map((edge): SceneEdge => {
    const state = states.get(edge.to) ?? 'hidden'
    const old = oldEdges.get(edge.id)
    return old !== undefined && old.state === state ? old : { ...edge, state }
  })
  const same = sameItems(nodes, previous.nodes) && sameItems(edges, previous.edges)
  return same ? previous : { nodes, edges }
}

const FIELDS = ['kind', 'name', 'namespace', 'state', 'why', 'madeFrom', 'folded'] as const

/** Would they look the same? */
export const sameNode = (a: GraphNode, b: GraphNode): boolean => FIELDS.every((field) => a[field] === b[field])

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((item, i) => item === b[i])
