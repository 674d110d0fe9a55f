import { hasReason, type KubeObject } from '@weft/api'
import {
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type Kind,
  NoMatchError,
  sleep,
  systemClock,
} from '@weft/client'
import { clusterRoleKind, controllerOfKind } from '@weft/controllers'
import { kubernetesManifests } from './manifests.ts'
import { CERTIFICATE_SECRET } from './webhook-certificates.ts'

/** Objects of one kind that stand for something: what somebody asked for, or what exists outside. */
export interface Instances {
  readonly kind: string
  readonly count: number
}

const INSTANCE_CATEGORIES = new Set(['claim', 'requirement', 'application', 'composite', 'managed', 'group'])

/** The kinds that Weft installed or that were defined through it. */
async function kindsOfWeft(client: Client): Promise<readonly CustomResourceDefinition[]> {
  const { items } = await client.list(customResourceDefinitionKind)
  return items.filter(
    (definition) => definition.metadata.labels?.['app.kubernetes.io/part-of'] === 'weft' || controllerOfKind(definition) !== undefined,
  )
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
 * may be in it. Answers what was removed.
 */
export async function removeWeft(client: Client, namespace: string): Promise<readonly string[]> {
  const removed: string[] = []
  const remove = async (object: KubeObject): Promise<void> => {
    const [group = '', version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion]
    const { name = '', namespace: at } = object.metadata
    const gone = await client.delete({ group, version, kind: object.kind }, { name, namespace: at }, { propagationPolicy: 'Background' })
    if (gone) removed.push(`${object.kind.toLowerCase()}/${name}`)
  }
  const manifests = kubernetesManifests({ namespace, image: '', replicas: 0, args: [], resources: {} }).filter(
    ({ part }) => part !== 'namespace',
  )
  // Admission and what runs go first, what they are allowed to do last.
  for (const { object } of manifests.toReversed()) await remove(object)
  const { items: roles } = await client.list(clusterRoleKind, { labels: 'app.kubernetes.io/part-of=weft' })
  for (const role of roles) await remove(role)
  await remove({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: CERTIFICATE_SECRET } })
  await remove({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name: 'weft-controllers' } })
  return removed
}

const GONE_WITHIN_MS = 180_000
const LOOK_EVERY_MS = 500

/**
 * Removes Weft's kinds and every object of them, and resolves when they are gone. Nobody is left to take finalizers off,
 * so this does; whatever exists outside stays there, and nobody manages it any more.
 */
export async function removeKinds(client: Client, clock: Clock = systemClock): Promise<readonly string[]> {
  const removed = new Set<string>()
  const deadline = clock.now() + GONE_WITHIN_MS
  for (;;) {
    const kinds = await kindsOfWeft(client)
    if (kinds.length === 0) return [...removed]
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

/** None where the kind went meanwhile: what owned it was removed before. */
async function objectsOf(client: Client, kind: Kind): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(kind)).items
  } catch (error) {
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return []
    throw error
  }
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof NoMatchError) && !hasReason(error, 'NotFound')) throw error
}
