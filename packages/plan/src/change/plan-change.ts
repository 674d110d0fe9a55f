import type { Client } from '@weft/client'
import { compareWorlds } from './compare.ts'
import { dryRun } from './dry-run.ts'
import type { Change, Plan, PlanOptions } from './plan.ts'
import { withProviderPlans } from './provider-plans.ts'
import { readWorld } from './read-world.ts'
import { replay } from './replay.ts'
import { warningsOf } from './warnings.ts'

/**
 * What would change, all the way down to managed resources, if a change were made. Nothing is written: the world is read with the rights of `client`, and
 * copied into a server in this process, where the very same controllers carry the change out. The server itself is asked by a dry run what it thinks of the
 * objects of the change, and providers that plan before they act what they would do. Rejects with PlanError when the change would be refused.
 */
export async function planChange(client: Client, change: Change, options: PlanOptions = {}): Promise<Plan> {
  const rights = await dryRun(client, change, options)
  const world = await readWorld(options.reader ?? client, change, options)
  const secrets = (change.apply ?? []).filter(isSecret)
  const applied: Change = { ...change, apply: (change.apply ?? []).filter((object) => !isSecret(object)) }
  // Loaded when it is needed: a server is a lot of code.
  const { openFork } = await import('./fork.ts')
  const fork = await openFork(world, { now: Date.now(), programs: options.programs })
  try {
    await fork.settle()
    options.signal?.throwIfAborted()
    const before = fork.snapshot()
    await replay(fork, applied, options)
    options.signal?.throwIfAborted()
    const after = fork.snapshot()
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
  } finally {
    await fork.stop()
  }
}

const isSecret = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean =>
  apiVersion === 'v1' && kind === 'Secret'
