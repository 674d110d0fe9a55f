import { CelCostExceeded } from './fault.ts'
import type { Value } from './value.ts'

/** One evaluation: the values of variables by slot, and what has been spent of the budget. */
export class Frame {
  readonly slots: (Value | undefined)[]
  readonly limit: number
  cost = 0
  constructor(slots: (Value | undefined)[], limit: number) {
    this.slots = slots
    this.limit = limit
  }
}

/** An expression made ready to run. */
export type Step = (frame: Frame) => Value

export function charge(frame: Frame, cost: number): void {
  frame.cost += cost
  if (frame.cost > frame.limit) throw new CelCostExceeded(frame.cost)
}
