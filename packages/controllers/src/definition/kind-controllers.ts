import type { KubeObject } from '@weft/api'
import type { ControllerEngine, ControllerSpec } from '@weft/runtime'
import type { DefinedKind } from './definition.ts'

type Named = Pick<KubeObject, 'metadata'>

/** The controller of a kind that a definition defines, and all that it holds. */
export interface KindController<D extends Named> {
  readonly spec: ControllerSpec
  readonly kind: DefinedKind
  /** The definition may have changed: every object of the kind is looked at again if that matters to it. */
  configure?(definition: D): void
  /** Gives back what it holds beside the controller, which was stopped before. */
  close?(): Promise<void> | void
}

/** The controllers of the kinds that definitions define, by the name of the definition. */
export interface KindControllers<D extends Named> {
  /** The kind is served, by this definition as it is now. Idempotent: it is called again on every change. */
  start(definition: D, kind: DefinedKind): Promise<void>
  stop(definitionName: string): Promise<void>
}

/** One controller for each definition: it is told of changes, and another one takes its place when the kind or its version becomes another. */
export function kindControllers<D extends Named>(
  engine: Pick<ControllerEngine, 'start' | 'stop'>,
  make: (definition: D, kind: DefinedKind) => KindController<D>,
): KindControllers<D> {
  const running = new Map<string, KindController<D>>()
  const stop = async (name: string): Promise<void> => {
    const controller = running.get(name)
    if (controller === undefined) return
    running.delete(name)
    await engine.stop(controller.spec.name)
    await controller.close?.()
  }
  return {
    async start(definition, kind) {
      const name = definition.metadata.name ?? ''
      const known = running.get(name)
      if (known !== undefined && known.kind.kind === kind.kind && known.kind.version === kind.version) return known.configure?.(definition)
      await stop(name)
      const controller = make(definition, kind)
      running.set(name, controller)
      await engine.start(controller.spec)
    },
    stop,
  }
}
