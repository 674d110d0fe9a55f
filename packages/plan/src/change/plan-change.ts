import type { Client } from '@weft/client'
import { ConcernedWorld, type Run } from '../world/concerned-world.ts'
import type { World } from '../world/world.ts'
import { compareWorlds } from './compare.ts'
import { dryRun } from './dry-run.ts'
import type { ForkOptions } from './fork.ts'
import { functionsOfControlPlane } from './functions-of-control-plane.ts'
import type { Change, Plan, PlanOptions } from './plan.ts'
import { withProviderPlans } from './provider-plans.ts'
import { replay } from './replay.ts'
import { warningsOf } from './warnings.ts'

/**
 * What would change, all the way down to managed resources, if a change were made. Nothing is written: what the change has to do with is read with the rights
 * of `client`, and copied into a server in this process, where the very same controllers carry the change out. The server itself is asked by a dry run what it
 * thinks of the objects of the change, and providers that plan before they act what they would do. Rejects with PlanError when the change would be refused.
 */
export async function planChange(client: Client, change: Change, options: PlanOptions = {}): Promise<Plan> {
  return planIn((reader) => ConcernedWorld.read(reader, change, options), client, change, options)
}

/** The plan of a change in a world that is read by the given function; tests read all of it, and compare. */
export async function planIn(
  read: (reader: Client) => Promise<Pick<ConcernedWorld, 'world' | 'complete'>>,
  client: Client,
  change: Change,
  options: PlanOptions = {},
): Promise<Plan> {
  const rights = await dryRun(client, change, options)
  const concerned = await read(options.reader ?? client)
  const secrets = (change.apply ?? []).filter(isSecret)
  const applied: Change = { ...change, apply: (change.apply ?? []).filter((object) => !isSecret(object)) }
  const controlPlane = functionsOfControlPlane(options.reader ?? client)
  for (;;) {
    const world = concerned.world()
    const { before, after, failure, ...run } = await carryOut(world, applied, { ...options, controlPlane })
    if (await concerned.complete({ ...run, before, after })) continue
    if (failure !== undefined) throw failure.reason
    const changes = compareWorlds(before, after, applied, options.namespace ?? 'default')
    const planned = await withProviderPlans(client, changes, { after, signal: options.signal })
    return {
      changes: planned.changes,
      warnings: [
        ...rights,
        ...world.warnings,
        ...secrets.map(({ metadata }) => `Secret ${metadata.name ?? ''} is not compared: plans never look into secrets`),
        ...warningsOf(before, after, applied),
        ...planned.warnings,
      ],
    }
  }
}

/** What came of a change in a fork of this world. Where it was refused, `failure` says why, which may be because something was lacking. */
async function carryOut(
  world: World,
  change: Change,
  options: PlanOptions & Pick<ForkOptions, 'controlPlane'>,
): Promise<Run & { readonly failure?: { readonly reason: unknown } }> {
  // Loaded when it is needed: a server is a lot of code.
  const { openFork } = await import('./fork.ts')
  const fork = await openFork(world, { now: Date.now(), programs: options.programs, controlPlane: options.controlPlane })
  try {
    await fork.settle()
    options.signal?.throwIfAborted()
    const before = fork.snapshot()
    const failure = await replay(fork, change, options).then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    )
    options.signal?.throwIfAborted()
    return { asked: fork.asked, before, after: fork.snapshot(), ...(failure && { failure }) }
  } finally {
    await fork.stop()
  }
}

const isSecret = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean =>
  apiVersion === 'v1' && kind === 'Secret'
