import type { KubeObject } from '@weft/api'
import type { ControllerSpec } from '../controller/controller.ts'
import { type ControllerServices, type RunningController, runController } from '../controller/run-controller.ts'

/**
 * Starts and stops controllers at run time: definitions come and go, and every kind they define needs controllers of
 * its own. What is started here is *wanted*; it runs while the engine is active (while this process leads).
 *
 * Calls for one name take effect in the order they were made. Stopping gives back everything: watches, timers, series.
 */
export interface ControllerEngine {
  /** Wants a controller. One of the same name is replaced, unless it is this very spec. Resolves when it is at work, or wanted while inactive. */
  start<T extends KubeObject>(spec: ControllerSpec<T>): Promise<void>
  /** Resolves when it is gone. Fine when there is none. */
  stop(name: string, options?: { readonly drainMs?: number }): Promise<void>
  get(name: string): RunningController | undefined
  readonly wanted: readonly string[]
  readonly running: readonly RunningController[]
  /** Runs everything that is wanted from now on. */
  activate(): void
  /** Stops everything that runs; it stays wanted. */
  deactivate(options?: { readonly drainMs?: number }): Promise<void>
}

/** One name: what is wanted of it, what is, and the work that makes them the same. */
interface Slot {
  readonly name: string
  wanted: ControllerSpec | undefined
  current: ControllerSpec | undefined
  running: RunningController | undefined
  drainMs: number
  tail: Promise<void>
}

export function createControllerEngine(services: ControllerServices): ControllerEngine {
  const slots = new Map<string, Slot>()
  let active = false

  const desiredOf = (slot: Slot): ControllerSpec | undefined => (active ? slot.wanted : undefined)

  /** Level-triggered: however many calls came meanwhile, it goes straight to what is wanted now. */
  const settle = async (slot: Slot): Promise<void> => {
    for (let desired = desiredOf(slot); slot.current !== desired; desired = desiredOf(slot)) {
      const { running } = slot
      slot.running = undefined
      slot.current = undefined
      // The old one must be gone before the new one starts: two must never work on one object.
      await running?.stop({ drainMs: slot.drainMs })
      const next = desiredOf(slot)
      if (next === undefined) continue
      slot.running = runController(next, services)
      slot.current = next
    }
    if (slot.wanted === undefined && slots.get(slot.name) === slot) slots.delete(slot.name)
  }
  const settleInTurn = (slot: Slot): Promise<void> => {
    const next = slot.tail.then(() => settle(slot))
    // A failure is the caller's; it must not keep later calls from happening.
    slot.tail = next.catch(() => undefined)
    return next
  }
  return {
    async start(given) {
      const spec = given as unknown as ControllerSpec
      let slot = slots.get(spec.name)
      if (slot === undefined)
        slots.set(
          spec.name,
          (slot = { name: spec.name, wanted: spec, current: undefined, running: undefined, drainMs: 0, tail: Promise.resolve() }),
        )
      slot.wanted = spec
      slot.drainMs = 0
      await settleInTurn(slot)
      await slot.running?.ready
    },
    async stop(name, { drainMs = 0 } = {}) {
      const slot = slots.get(name)
      if (slot === undefined) return
      slot.wanted = undefined
      slot.drainMs = drainMs
      await settleInTurn(slot)
    },
    get: (name) => slots.get(name)?.running,
    get wanted() {
      return [...slots.values()].filter(({ wanted }) => wanted !== undefined).map(({ name }) => name)
    },
    get running() {
      return [...slots.values()].flatMap(({ running }) => (running === undefined ? [] : [running]))
    },
    activate() {
      active = true
      for (const slot of slots.values())
        settleInTurn(slot).catch((error: unknown) => services.log.error('a controller cannot start', { controller: slot.name, error }))
    },
    async deactivate({ drainMs = 0 } = {}) {
      active = false
      await Promise.all(
        [...slots.values()].map((slot) => {
          slot.drainMs = drainMs
          return settleInTurn(slot)
        }),
      )
    },
  }
}
