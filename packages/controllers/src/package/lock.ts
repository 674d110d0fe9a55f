import { deepEqual, formatGroupVersion, hasReason } from '@weft/api'
import type { Client } from '@weft/client'
import { type Lock, lockKind, type LockedPackage } from './kinds.ts'

/** There is one, as in Crossplane. */
export const LOCK = 'lock'

/** Races lost before the caller tries again later. */
const ATTEMPTS = 8

export const findLock = (client: Client): Promise<Lock | undefined> => client.find(lockKind, { name: LOCK })

/**
 * Changes the list of packages in the lock. Whoever loses a race against another package starts over with what that one wrote, so every change
 * is made in the knowledge of all before it. `change` answers the very same list when there is nothing to do.
 */
export async function changeLock(
  client: Client,
  change: (packages: readonly LockedPackage[]) => readonly LockedPackage[],
): Promise<readonly LockedPackage[]> {
  for (let attempt = 1; ; attempt++) {
    const lock = await findLock(client)
    const before = lock?.packages ?? []
    const after = change(before)
    if (deepEqual(after, before)) return before
    try {
      if (lock === undefined)
        await client.create({
          apiVersion: formatGroupVersion(lockKind),
          kind: lockKind.kind,
          metadata: { name: LOCK },
          packages: after,
        })
      else await client.update({ ...lock, packages: after })
      return after
    } catch (error) {
      if (attempt === ATTEMPTS || (!hasReason(error, 'Conflict') && !hasReason(error, 'AlreadyExists'))) throw error
      // What the other wrote may not be readable yet.
      await new Promise((resolve) => setTimeout(resolve, 5 * attempt))
    }
  }
}

/** Packages that need one of those with these revisions, and are not among them. */
export function dependentsOf(packages: readonly LockedPackage[], names: ReadonlySet<string>): readonly string[] {
  const sources = new Set(packages.filter(({ name }) => names.has(name)).map(({ source }) => source))
  return packages
    .filter(({ name, dependencies = [] }) => !names.has(name) && dependencies.some((dependency) => sources.has(dependency.package)))
    .map(({ type = 'package', name }) => `${type} ${name}`)
}
