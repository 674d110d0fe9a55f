import type { Expr } from './ast.ts'

/** Deepest tree and most nodes later passes accept: they recurse, and a macro may repeat a part of the tree. */
const MAX_TREE_DEPTH = 1000
const MAX_NODES = 200_000

/** Why the tree is too much to work on; undefined when it is fine. Walks with a stack of its own. */
export function tooLarge(expr: Expr): string | undefined {
  const pending: { readonly node: Expr; readonly depth: number }[] = [{ node: expr, depth: 1 }]
  let nodes = 0
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item.depth > MAX_TREE_DEPTH) return 'max recursion depth exceeded'
    if (++nodes > MAX_NODES) return `expression node count exceeds limit: ${MAX_NODES}`
    for (const child of children(item.node)) pending.push({ node: child, depth: item.depth + 1 })
  }
  return undefined
}

export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'const':
    case 'ident':
      return []
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value])
    case 'struct':
      return expr.fields.map((field) => field.value)
    case 'fold':
      return [expr.range, expr.init, expr.cond, expr.step, expr.result]
  }
}
