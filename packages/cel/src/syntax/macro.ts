import { ACCUMULATOR, type Expr, type FoldShape, type IdentExpr, type NodeFactory } from './ast.ts'

/**
 * A call that is rewritten while parsing. The parser looks a macro up by name, receiver style and number of
 * arguments, and calls `expand` once per use; `undefined` means "no macro here", and the call stays a call.
 */
export interface Macro {
  readonly name: string
  readonly member: boolean
  readonly args: number | 'any'
  expand(use: MacroUse): Expr | undefined
}

export interface MacroUse {
  readonly nodes: NodeFactory
  readonly at: number
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
  /** Gives up with an issue at `at`. */
  fail(at: number, message: string): never
}

/** The argument that must exist: a macro is only called with as many arguments as it asked for. */
export function argument(use: MacroUse, index: number): Expr {
  return use.args[index] ?? use.fail(use.at, 'missing argument')
}

export function receiver(use: MacroUse): Expr {
  return use.target ?? use.fail(use.at, 'missing receiver')
}

export function variableName(use: MacroUse, index: number, message = 'argument must be a simple name'): string {
  const arg = argument(use, index)
  if (arg.kind !== 'ident' || arg.name.startsWith('.')) return use.fail(arg.at, message)
  if (arg.name === ACCUMULATOR || arg.name === '__result__') return use.fail(arg.at, 'iteration variable overwrites accumulator variable')
  return arg.name
}

export interface FoldVariables {
  readonly iterVar: string
  readonly iterVar2?: string
}

const accumulator = (use: MacroUse): IdentExpr => use.nodes.ident(use.at, ACCUMULATOR)

export function quantifier(use: MacroUse, op: 'all' | 'exists', variables: FoldVariables, body: Expr): Expr {
  const { nodes, at } = use
  const start = op === 'all'
  const open = op === 'all' ? accumulator(use) : nodes.call(at, '!_', [accumulator(use)])
  return fold(
    use,
    variables,
    { op, body },
    {
      init: nodes.constant(at, start),
      cond: nodes.call(at, '@not_strictly_false', [open]),
      step: nodes.call(at, op === 'all' ? '_&&_' : '_||_', [accumulator(use), body]),
      result: accumulator(use),
    },
  )
}

export function existsOne(use: MacroUse, variables: FoldVariables, body: Expr): Expr {
  const { nodes, at } = use
  return fold(
    use,
    variables,
    { op: 'existsOne', body },
    {
      init: nodes.constant(at, 0),
      cond: nodes.constant(at, true),
      step: nodes.call(at, '_?_:_', [body, nodes.call(at, '_+_', [accumulator(use), nodes.constant(at, 1)]), accumulator(use)]),
      result: nodes.call(at, '_==_', [accumulator(use), nodes.constant(at, 1)]),
    },
  )
}

export function collectList(use: MacroUse, variables: FoldVariables, filter: Expr | undefined, transform: Expr): Expr {
  const { nodes, at } = use
  const append = nodes.call(at, '_+_', [accumulator(use), nodes.list(at, [transform])])
  return fold(
    use,
    variables,
    { op: 'list', filter, transform },
    {
      init: nodes.list(at, []),
      cond: nodes.constant(at, true),
      step: filter === undefined ? append : nodes.call(at, '_?_:_', [filter, append, accumulator(use)]),
      result: accumulator(use),
    },
  )
}

export function collectMap(
  use: MacroUse,
  variables: FoldVariables,
  op: 'map' | 'mapEntry',
  filter: Expr | undefined,
  transform: Expr,
): Expr {
  const { nodes, at } = use
  const args = op === 'map' ? [accumulator(use), nodes.ident(at, variables.iterVar), transform] : [accumulator(use), transform]
  const insert = nodes.call(at, 'cel.@mapInsert', args)
  return fold(
    use,
    variables,
    { op, filter, transform },
    {
      init: nodes.map(at, []),
      cond: nodes.constant(at, true),
      step: filter === undefined ? insert : nodes.call(at, '_?_:_', [filter, insert, accumulator(use)]),
      result: accumulator(use),
    },
  )
}

/** `let name = init in result`: a fold over nothing, as cel-go has it. */
export function bindVariable(use: MacroUse, name: string, init: Expr, result: Expr): Expr {
  const { nodes, at } = use
  return nodes.fold(at, {
    range: nodes.list(at, []),
    iterVar: '#unused',
    iterVar2: undefined,
    accuVar: name,
    init,
    cond: nodes.constant(at, false),
    step: nodes.ident(at, name),
    result,
    shape: { op: 'bind' },
  })
}

function fold(
  use: MacroUse,
  variables: FoldVariables,
  shape: FoldShape,
  parts: { init: Expr; cond: Expr; step: Expr; result: Expr },
): Expr {
  const { iterVar, iterVar2 } = variables
  return use.nodes.fold(use.at, { range: receiver(use), iterVar, iterVar2, accuVar: ACCUMULATOR, shape, ...parts })
}
