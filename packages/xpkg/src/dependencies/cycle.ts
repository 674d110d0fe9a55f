/** A circle in a graph, with its first member again at the end; undefined when there is none. */
export function findCycle(nodes: Iterable<string>, neighbours: (node: string) => readonly string[]): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  const walk = (node: string): string[] | undefined => {
    if (done.has(node)) return undefined
    const at = path.indexOf(node)
    if (at >= 0) return [...path.slice(at), node]
    path.push(node)
    for (const next of neighbours(node)) {
      const cycle = walk(next)
      if (cycle !== undefined) return cycle
    }
    path.pop()
    done.add(node)
    return undefined
  }
  for (const node of nodes) {
    const cycle = walk(node)
    if (cycle !== undefined) return cycle
  }
  return undefined
}
