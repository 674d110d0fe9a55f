import { Graph, layout } from '@dagrejs/dagre'
import type { GraphModel } from './model.ts'
import { type TreeItem, treeOf } from './tree.ts'

export interface Position {
  readonly x: number
  readonly y: number
}

export const NODE_WIDTH = 232
export const NODE_HEIGHT = 64
const GAP_BESIDE = 14
const GAP_BETWEEN_RANKS = 56

/** From here on dagre takes seconds, during which nothing moves; such graphs are nearly always wide trees. */
const MOST_FOR_DAGRE = 150

/** What decides where nodes are: which there are, and what hangs on what. States change often, this seldom. */
export const structureOf = ({ nodes, edges }: GraphModel): string =>
  `${nodes.map(({ id }) => id).join('\n')}\n\n${edges.map(({ id }) => id).join('\n')}`

/** Third stage: where each node is, its upper left corner, from left to right. */
export const layoutModel = (model: GraphModel): ReadonlyMap<string, Position> =>
  model.nodes.length > MOST_FOR_DAGRE ? layoutTree(model) : layoutGraph(model)

function layoutGraph({ nodes, edges }: GraphModel): ReadonlyMap<string, Position> {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: GAP_BESIDE, ranksep: GAP_BETWEEN_RANKS })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  for (const { from, to } of edges) graph.setEdge(from, to)
  layout(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number }
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }]
    }),
  )
}

/** How high all of it is, in pixels. */
export function heightOf(positions: ReadonlyMap<string, Position>): number {
  const ys = [...positions.values()].map(({ y }) => y)
  return ys.length === 0 ? 0 : ys.reduce((a, b) => Math.max(a, b)) - ys.reduce((a, b) => Math.min(a, b)) + NODE_HEIGHT
}

/** In linear time: leaves below each other, a parent at the middle of its children; further parents do not count. */
function layoutTree(model: GraphModel): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>()
  let next = 0
  const place = ({ node, children }: TreeItem, rank: number): number => {
    const ys = children.map((child) => place(child, rank + 1))
    const y = ys.length === 0 ? next : ((ys[0] ?? 0) + (ys.at(-1) ?? 0)) / 2
    if (ys.length === 0) next += NODE_HEIGHT + GAP_BESIDE
    positions.set(node.id, { x: rank * (NODE_WIDTH + GAP_BETWEEN_RANKS), y })
    return y
  }
  const tree = treeOf(model)
  if (tree !== undefined) place(tree, 0)
  return positions
}
