import type { GraphEdge, GraphModel, GraphNode } from './model.ts'

export interface GraphFilter {
  /** Words that must occur in the kind or name of a node; its ancestors stay, so that it hangs on something. */
  readonly text: string
  /** Only what is not ready, and what leads there. */
  readonly problemsOnly: boolean
  readonly external: boolean
  /** Siblings without children of one kind and state are drawn as one node when they are more than this; 0: never. */
  readonly foldAbove: number
}

export const SHOW_ALL: GraphFilter = { text: '', problemsOnly: false, external: true, foldAbove: 0 }

/** Second stage: which part of it to draw. The root always stays. */
export function filterModel(model: GraphModel, filter: GraphFilter): GraphModel {
  const external = filter.external ? model : without(model, (node) => node.state === 'external')
  const matching = keepMatches(external, filter)
  return filter.foldAbove > 0 ? fold(matching, filter.foldAbove) : matching
}

const isProblem = ({ state }: GraphNode): boolean => state !== 'ready' && state !== 'external'

function keepMatches(model: GraphModel, { text, problemsOnly }: GraphFilter): GraphModel {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0 && !problemsOnly) return model
  const wanted = (node: GraphNode): boolean => {
    const haystack = `${node.kind} ${node.namespace ?? ''}/${node.name}`.toLowerCase()
    return words.every((word) => haystack.includes(word)) && (!problemsOnly || isProblem(node))
  }
  const parents = new Map<string, string[]>()
  for (const { from, to } of model.edges) push(parents, to, from)
  const kept = new Set<string>([model.root])
  const keep = (id: string): void => {
    if (kept.has(id) && id !== model.root) return
    kept.add(id)
    for (const parent of parents.get(id) ?? []) keep(parent)
  }
  for (const node of model.nodes) if (wanted(node)) keep(node.id)
  return without(model, (node) => !kept.has(node.id))
}

function without(model: GraphModel, drop: (node: GraphNode) => boolean): GraphModel {
  const nodes = model.nodes.filter((node) => node.id === model.root || !drop(node))
  if (nodes.length === model.nodes.length) return model
  const left = new Set(nodes.map(({ id }) => id))
  return { root: model.root, nodes, edges: model.edges.filter(({ from, to }) => left.has(from) && left.has(to)) }
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** An external resource is drawn with the resource that stands for it: both count as a leaf, and are folded together. */
function fold(model: GraphModel, above: number): GraphModel {
  const children = new Map<string, string[]>()
  const parentCount = new Map<string, number>()
  for (const { from, to } of model.edges) {
    push(children, from, to)
    parentCount.set(to, (parentCount.get(to) ?? 0) + 1)
  }
  const byId = new Map(model.nodes.map((node) => [node.id, node]))
  const isLeaf = (id: string): boolean => (children.get(id) ?? []).every((child) => byId.get(child)?.state === 'external')
  const gone = new Set<string>()
  const folds: { node: GraphNode; parent: string }[] = []
  for (const [parent, ids] of children) {
    const siblings = new Map<string, GraphNode[]>()
    for (const id of ids) {
      const node = byId.get(id)
      if (node === undefined || node.state === 'external' || parentCount.get(id) !== 1 || !isLeaf(id)) continue
      push(siblings, `${node.kind} ${node.state}`, node)
    }
    for (const [key, nodes] of siblings) {
      const [first] = nodes
      if (first === undefined || nodes.length <= above) continue
      for (const { id } of nodes) for (const folded of [id, ...(children.get(id) ?? [])]) gone.add(folded)
      folds.push({
        parent,
        node: {
          id: `${parent}+${key}`,
          kind: first.kind,
          name: `${nodes.length} ${first.state}`,
          state: first.state,
          folded: nodes.length,
        },
      })
    }
  }
  if (folds.length === 0) return model
  const rest = without(model, ({ id }) => gone.has(id))
  const edges: GraphEdge[] = folds.map(({ parent, node }) => ({ id: `${parent}→${node.id}`, from: parent, to: node.id }))
  return { root: model.root, nodes: [...rest.nodes, ...folds.map(({ node }) => node)], edges: [...rest.edges, ...edges] }
}
