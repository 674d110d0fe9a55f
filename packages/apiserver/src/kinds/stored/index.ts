import { formatGroupVersion } from '@weft/api'
import type { BuiltinKind } from '../kind.ts'
import { appsKinds } from './apps.ts'
import { autoscalingKinds } from './autoscaling.ts'
import { batchKinds } from './batch.ts'
import { storedCoreKinds } from './core.ts'
import { networkingKinds } from './networking.ts'
import { otherKinds } from './others.ts'
import { policyKinds } from './policy.ts'
import { storageKinds } from './storage.ts'

let rows: readonly BuiltinKind[] | undefined

/** Kinds that are served on request, and only stored. Made when first asked for: a server without them pays nothing. */
export const storedKinds = (): readonly BuiltinKind[] =>
  (rows ??= [
    ...storedCoreKinds(),
    ...appsKinds(),
    ...autoscalingKinds(),
    ...batchKinds(),
    ...networkingKinds(),
    ...otherKinds(),
    ...policyKinds(),
    ...storageKinds(),
  ])

/** Those of some groups and versions (`apps/v1`; `v1` is the core group). Throws an Error that says what can be named. */
export function storedKindsOf(groupVersions: readonly string[]): readonly BuiltinKind[] {
  if (groupVersions.length === 0) return []
  const all = storedKinds()
  if (groupVersions.includes('all')) return all
  const known = new Set(all.map(formatGroupVersion))
  for (const name of groupVersions)
    if (!known.has(name)) throw new Error(`${JSON.stringify(name)} cannot be served: name all, or some of ${[...known].sort().join(', ')}.`)
  return all.filter((kind) => groupVersions.includes(formatGroupVersion(kind)))
}
