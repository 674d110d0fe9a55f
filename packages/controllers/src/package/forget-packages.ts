import type { Client } from '@weft/client'
import { SORTS } from './kinds.ts'
import type { PackageStore } from './package-store.ts'

/** Lets the store forget what no revision names any more. Called when revisions went, which is seldom. */
export async function forgetPackages(client: Client, store: PackageStore): Promise<void> {
  if (store.prune === undefined) return
  const wanted = new Set<string>()
  for (const { revisionKind } of SORTS)
    for (const { spec } of (await client.list(revisionKind)).items) if (spec.digest !== undefined) wanted.add(spec.digest)
  await store.prune(wanted)
}
