import type { GraphModel, GraphNode } from './model.ts'

/** The model as a reader of a screen meets it: each node once, below the first that leads to it. */
export interface TreeItem {
  readonly node: GraphNode
  readonly children: readonly TreeItem[]
}

export function treeOf({ root, nodes, edges }: GraphModel): TreeItem | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const children = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const ids = children.get(from)
    if (ids === undefined) children.set(from, [to])
    else ids.push(to)
  }
  const seen = new Set<string>()
  const itemOf = (id: string): TreeItem | undefined => {
    const node = byId.get(id)
    if (node === undefined || seen.has(id)) return undefined
    seen.add(id)
    return { node, children: (children.get(id) ?? []).flatMap((child) => itemOf(child) ?? []) }
  }
  return itemOf(root)
}

/** The visible items in reading order, with what a tree item tells about its place. */
export interface TreeRow {
  readonly node: GraphNode
  readonly level: number
  readonly position: number
  readonly siblings: number
  readonly expanded: boolean | undefined
  readonly parent: string | undefined
}

export function rowsOf(item: TreeItem | undefined, collapsed: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const visit = ({ node, children }: TreeItem, place: Pick<TreeRow, 'level' | 'position' | 'siblings' | 'parent'>): void => {
    const expanded = children.length === 0 ? undefined : !collapsed.has(node.id)
    rows.push({ node, expanded, ...place })
    if (expanded !== true) return
    children.forEach((child, i) => visit(child, { level: place.level + 1, position: i + 1, siblings: children.length, parent: node.id }))
  }
  if (item !== undefined) visit(item, { level: 1, position: 1, siblings: 1, parent: undefined })
  return rows
}
