import type { Package } from '@weft/xpkg'
import type { RevisionObject, RuntimeTemplates } from './kinds.ts'
import type { WebhookTarget } from './webhooks.ts'

/** A package whose code is to run. */
export interface PackageRun {
  readonly packageName: string
  readonly revision: RevisionObject
  readonly contents: Package
  /** Kinds of it that are about to be served: many programs end when one of theirs is not there. */
  readonly pending: readonly string[]
  /** Why its program need not run yet, in one sentence; see whyAwaiting. Code that runs in this process costs nothing, and may run all the same. */
  readonly awaitsActivation?: string | undefined
  /** How its program is started, where somebody said so. */
  readonly settings?: RuntimeSettings | undefined
  /** Called whenever its health may have changed. */
  readonly onChange: () => void
}

/** What somebody set for the programs of packages. */
export interface RuntimeSettings {
  /** Of the object that says so. */
  readonly name: string
  /** Instead of those of the image; undefined: those of the image. */
  readonly args: readonly string[] | undefined
  readonly env: Readonly<Record<string, string>>
  /** False: it is run elsewhere. */
  readonly runs: boolean
  /** What was said and has no meaning for a process. */
  readonly unused: readonly string[]
  /** All of it, for those who run no process. */
  readonly templates: RuntimeTemplates
}

/** The reason of one that waits for its kinds to be served. */
export const AWAITING = 'AwaitingKinds'

export interface RuntimeHealth {
  readonly healthy: boolean
  /** One word in CamelCase. */
  readonly reason: string
  readonly message?: string
  /** Where it has a process of its own: how often that was started again. */
  readonly restarts?: number
  /** Where it has one: what keeps it apart from the machine, in one word. */
  readonly isolation?: string
  /** Where it insists on ports that others have: those that it was found to have instead. */
  readonly ports?: readonly number[]
  /** Where a function is asked, when it can be. */
  readonly endpoint?: string
}

/**
 * Runs the code of packages of one sort. At most one revision of a package runs at a time.
 *
 * Called on every pass of a revision, so everything here must be idempotent and quick: what takes long happens in the background and
 * calls `onChange`.
 */
export interface PackageRuntime {
  /** Makes this revision run, and first any other of its package stop. Answers how it is. */
  ensure(run: PackageRun): Promise<RuntimeHealth>
  /** Where the webhooks of its program are asked; undefined: where the package says. Called before it runs. */
  webhooks?(packageName: string): Promise<WebhookTarget | undefined>
  /** Stops it, if this revision (or, without one, any) runs. Resolves when it has stopped. */
  stop(packageName: string, revisionName?: string): Promise<void>
}

/** For control planes that run no code of packages. */
export const NO_RUNTIME: PackageRuntime = {
  ensure: () => Promise.resolve({ healthy: true, reason: 'NoRuntime' }),
  stop: () => Promise.resolve(),
}
