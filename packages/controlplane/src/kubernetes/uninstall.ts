import { formatGroupKind, gvkOf, isOfWeft, type KubeObject, parseGroupVersion } from '@weft/api'
import {
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type Kind,
  sleep,
  systemClock,
} from '@weft/client'
import { clusterRoleKind, controllerOfKind } from '@weft/controllers'
import { findLive } from '../foreign-objects.ts'
import { kubernetesManifests } from './manifests.ts'
import { ignoreGone, kindsOfBundled, objectsOf, removeOwnPackages } from './own-packages.ts'
import { certificateSecret } from './webhook-certificates.ts'

/** Objects of one kind that stand for something: what somebody asked for, or what exists outside. */
export interface Instances {
  readonly kind: string
  readonly count: number
}

const LEASE = 'weft-controllers'
const INSTANCE_CATEGORIES = new Set(['claim', 'requirement', 'application', 'composite', 'managed', 'group'])

/**
 * The kinds that Weft installed, and those that objects of these or its bundled packages define. What Crossplane's objects of the same names define is
 * Crossplane's.
 */
async function kindsOfWeft(client: Client): Promise<readonly CustomResourceDefinition[]> {
  const { items } = await client.list(customResourceDefinitionKind)
  const own = items.filter(isOfWeft)
  const definers = new Set(own.map(({ spec }) => formatGroupKind({ group: spec.group, kind: spec.names.kind })))
  const isDefined = (definition: CustomResourceDefinition): boolean => {
    const controller = controllerOfKind(definition)
    return controller !== undefined && definers.has(formatGroupKind({ ...parseGroupVersion(controller.apiVersion), kind: controller.kind }))
  }
  const bundled = new Set(await kindsOfBundled(client, items))
  return [...own, ...items.filter((definition) => !isOfWeft(definition) && (isDefined(definition) || bundled.has(definition)))]
}

const kindOf = ({ spec }: CustomResourceDefinition): Kind => ({
  group: spec.group,
  version: spec.versions.find(({ served }) => served)?.name,
  kind: spec.names.kind,
  plural: spec.names.plural,
  namespaced: spec.scope === 'Namespaced',
})

/** What would be lost if Weft's kinds went now. */
export async function instancesOfWeft(client: Client): Promise<readonly Instances[]> {
  const found: Instances[] = []
  for (const definition of await kindsOfWeft(client)) {
    const { categories = [] } = definition.spec.names as { readonly categories?: readonly string[] }
    const isManaged = controllerOfKind(definition)?.kind === 'ManagedResourceDefinition'
    if (!isManaged && !categories.some((category) => INSTANCE_CATEGORIES.has(category))) continue
    const items = await objectsOf(client, kindOf(definition))
    if (items.length > 0) found.push({ kind: `${definition.spec.names.plural}.${definition.spec.group}`, count: items.length })
  }
  return found
}

/**
 * Removes what runs Weft: deployment, accounts, roles, admission. Idempotent. The namespace stays: connection secrets
 * may be in it; so does whatever has one of Weft's names and is not Weft's. Answers what was removed.
 */
export async function removeWeft(client: Client, namespace: string): Promise<readonly string[]> {
  const removed: string[] = []
  const remove = async (object: KubeObject): Promise<void> => {
    const live = await findLive(client, object)
    if (live === undefined || !isOfWeft(live)) return
    const { name = '', namespace: at, uid } = live.metadata
    const gone = await client.delete(
      gvkOf(object),
      { name, namespace: at },
      { propagationPolicy: 'Background', ...(uid !== undefined && { preconditions: { uid } }) },
    )
    if (gone) removed.push(`${object.kind.toLowerCase()}/${name}`)
  }
  const manifests = kubernetesManifests({ namespace, image: '', replicas: 0, args: [], resources: {} }).filter(
    ({ part }) => part !== 'namespace',
  )
  // Admission and what runs go first, what they are allowed to do last.
  for (const { object } of manifests.toReversed()) await remove(object)
  const { items: roles } = await client.list(clusterRoleKind, { labels: 'app.kubernetes.io/part-of=weft' })
  for (const role of roles) await remove(role)
  await remove(certificateSecret(namespace))
  // Made by whichever replica led, and only ever by one of Weft's.
  if (await client.delete({ group: 'coordination.k8s.io', kind: 'Lease' }, { namespace, name: LEASE })) removed.push(`lease/${LEASE}`)
  return removed
}

const GONE_WITHIN_MS = 180_000
const LOOK_EVERY_MS = 500

/**
 * Removes Weft's kinds and every object of them, and the packages that come with it where their kinds are Crossplane's; resolves when they are gone.
 * Nobody is left to take finalizers off, so this does; whatever exists outside stays there, and nobody manages it any more. Answers what was removed.
 */
export async function removeKinds(client: Client, clock: Clock = systemClock): Promise<readonly string[]> {
  const removed = new Set<string>()
  const deadline = clock.now() + GONE_WITHIN_MS
  for (;;) {
    const kinds = await kindsOfWeft(client)
    // What says which kinds are those of packages of Weft's goes after them.
    if (kinds.length === 0) return [...[...removed].map((name) => `customresourcedefinition/${name}`), ...(await removeOwnPackages(client))]
    // Again and again: an object that is being collected may have got its finalizer after we looked.
    for (const definition of kinds) await removeKind(client, definition)
    for (const { metadata } of kinds) removed.add(metadata.name ?? '')
    if (clock.now() > deadline)
      throw new Error(`${kinds.map(({ metadata }) => metadata.name).join(', ')} are still being removed: run this again in a while`)
    await sleep(clock, LOOK_EVERY_MS)
  }
}

async function removeKind(client: Client, definition: CustomResourceDefinition): Promise<void> {
  const kind = kindOf(definition)
  for (const { metadata } of await objectsOf(client, kind)) {
    const ref = { name: metadata.name ?? '', namespace: metadata.namespace }
    if ((metadata.finalizers ?? []).length > 0)
      await client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: null } } }).catch(ignoreGone)
    // A kind without objects goes at once; with some, the server looks only every few seconds whether they are gone.
    await client.delete(kind, ref, { propagationPolicy: 'Background' }).catch(ignoreGone)
  }
  const name = definition.metadata.name ?? ''
  const { finalizers = [], deletionTimestamp } = definition.metadata
  const kept = finalizers.filter((finalizer) => finalizer.endsWith('.k8s.io'))
  if (kept.length < finalizers.length)
    await client
      .patch(customResourceDefinitionKind, { name }, { type: 'merge', body: { metadata: { finalizers: kept } } })
      .catch(ignoreGone)
  if (deletionTimestamp === undefined) await client.delete(customResourceDefinitionKind, { name })
}
