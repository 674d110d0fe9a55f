import { Fault } from './fault.ts'

/** The longest text an expression may build: no request is that large, and memory must not be a weapon. */
const MAX_TEXT = 16 * 1024 * 1024

export function checkTextSize(length: number): void {
  if (length > MAX_TEXT) throw new Fault(`string of ${length} characters exceeds the limit of ${MAX_TEXT}`)
}

/**
 * What building a text much longer than its source costs on top. Kubernetes charges some functions for what they read
 * only; without this a few hundred characters could be made into gigabytes within any budget. Results of ordinary
 * size cost what they cost there.
 */
export function growthCost(from: number, to: number): number {
  const growth = to - from
  return growth > 10_000 ? Math.ceil(growth * 0.1) : 0
}
