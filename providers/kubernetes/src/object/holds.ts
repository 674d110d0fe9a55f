import { deepEqual, isJsonObject, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { isBeingDeleted, managementOf, type ManagedResource } from '@weft/provider-sdk'
import { referencesOf, type Target } from './references.ts'

const PREFIX = 'kubernetes.crossplane.io/referred-by-object-'
/** What an Object may have put its finalizer on: written before it does, so that it is taken away again however things go. */
const HELD = 'kubernetes.weft.dev/held-references'

export const finalizerOf = ({ metadata }: ManagedResource): string => `${PREFIX}${metadata.uid ?? ''}`

/** Do other Objects need this one? */
export const isNeeded = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).some((each) => each.startsWith(PREFIX))

/** Changes the finalizers of an object of this control plane; undefined: it is gone. */
export type PatchTarget = (target: Target, change: (finalizers: readonly string[]) => readonly string[]) => Promise<void>

/** Only who makes something of what it refers to keeps that from going first. */
function holds(resource: ManagedResource): boolean {
  const decision = managementOf(resource)
  return decision.kind === 'manage' && (decision.policy.create || decision.policy.update || decision.policy.delete)
}

/** Is everything held that should be, and nothing else? */
export function areHeld(resource: ManagedResource, found: readonly { readonly target: Target; readonly object: KubeObject }[]): boolean {
  if (!holds(resource) || isBeingDeleted(resource)) return true
  const finalizer = finalizerOf(resource)
  return (
    found.every(({ object }) => object.metadata.finalizers?.includes(finalizer) === true || isBeingDeleted(object)) &&
    heldBy(resource).every((held) => found.some(({ target }) => sameTarget(target, held)))
  )
}

/** Holds what the Object refers to, and lets go of what it no longer does. */
export async function holdTargets(resource: ManagedResource, client: Client, patch: PatchTarget): Promise<void> {
  if (!holds(resource)) return
  const wanted = referencesOf(resource).map(targetOf)
  const before = heldBy(resource)
  const stale = before.filter((held) => !wanted.some((target) => sameTarget(target, held)))
  if (wanted.length === 0 && before.length === 0) return
  if (wanted.some((target) => !before.some((held) => sameTarget(target, held)))) await record(resource, client, [...before, ...wanted])
  const finalizer = finalizerOf(resource)
  for (const target of wanted)
    await patch(target, (finalizers) => (finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer]))
  await letGo(stale, finalizer, patch)
  if (stale.length > 0) await record(resource, client, wanted)
}

/** Lets go of everything: the Object is about to go. */
export const releaseTargets = (resource: ManagedResource, patch: PatchTarget): Promise<void> =>
  letGo(heldBy(resource), finalizerOf(resource), patch)

async function letGo(targets: readonly Target[], finalizer: string, patch: PatchTarget): Promise<void> {
  for (const target of targets) await patch(target, (finalizers) => finalizers.filter((each) => each !== finalizer))
}

async function record(resource: ManagedResource, client: Client, targets: readonly Target[]): Promise<void> {
  const { name = '', namespace, uid } = resource.metadata
  const [group = ''] = resource.apiVersion.split('/')
  const distinct = targets.filter((target, i) => targets.findIndex((each) => sameTarget(each, target)) === i)
  const annotations = { [HELD]: distinct.length === 0 ? null : JSON.stringify(distinct.map(targetOf)) }
  await client.patch({ group, kind: resource.kind }, { name, namespace }, { type: 'merge', body: { metadata: { uid, annotations } } })
}

function heldBy({ metadata }: ManagedResource): readonly Target[] {
  try {
    const list: unknown = JSON.parse(metadata.annotations?.[HELD] ?? '[]')
    return Array.isArray(list)
      ? list.filter((each) => isJsonObject(each) && isJsonObject(each['kind'])).map((each) => targetOf(each as Target))
      : []
  } catch {
    return []
  }
}

const targetOf = ({ kind: { group, version, kind }, namespace, name }: Target): Target => ({
  kind: { group, version, kind },
  name,
  namespace,
})

/** By any version: all are views of the same object. */
const sameTarget = (a: Target, b: Target): boolean =>
  deepEqual([a.kind.group, a.kind.kind, a.namespace ?? '', a.name], [b.kind.group, b.kind.kind, b.namespace ?? '', b.name])
