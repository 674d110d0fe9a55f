import type { Client, Clock, Random, RestMapper, SharedInformers } from '@weft/client'
import type { ControllerEngine, EventRecorder } from '@weft/runtime'

/** What the controllers of definitions, composites and requirements share. A Manager is one, once it is given a clock and randomness. */
export interface DefinitionServices {
  readonly client: Client
  readonly informers: SharedInformers
  readonly engine: ControllerEngine
  recorder(component: string): EventRecorder
  readonly clock: Clock
  readonly random: Random
  /** That of the client: what it knows is out of date when a kind comes or goes. */
  readonly mapper?: Pick<RestMapper, 'invalidate'> | undefined
}
