/**
 * How evaluation fails. Inside the interpreter a failure is a `Fault`, which is thrown but is no `Error`: logical
 * operators absorb failures (`a || true`), so one evaluation may throw thousands, and capturing a stack for each
 * would cost far more than the expression. At the edge it becomes a `CelRuntimeError`.
 */
export class Fault {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** An expression failed while it ran; the message is the one cel-go gives (`no such key: x`, `division by zero`). */
export class CelRuntimeError extends Error {
  readonly code = 'CelRuntimeError'
  override readonly name = 'CelRuntimeError'
  /** What had been spent when it failed. */
  readonly cost: number
  constructor(message: string, cost: number) {
    super(message)
    this.cost = cost
  }
}

/** The expression spent more than its budget; nothing absorbs this. */
export class CelCostExceeded extends Error {
  readonly code = 'CelCostExceeded'
  override readonly name = 'CelCostExceeded'
  readonly cost: number
  constructor(cost: number) {
    super('operation cancelled: actual cost limit exceeded')
    this.cost = cost
  }
}

export const noSuchOverload = (): Fault => new Fault('no such overload')

/** The fault in `thrown`; anything else (the budget, a defect) is thrown on. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  throw thrown
}
