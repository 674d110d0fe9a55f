import { gvkOf, hasReason, type KubeObject } from '@weft/api'
import { type Client, type CustomResourceDefinition, type Kind, NoMatchError } from '@weft/client'
import {
  BUNDLED,
  type Lock,
  lockKind,
  managedResourceDefinitionKind,
  PACKAGE_FINALIZER,
  type PackageObject,
  packageNameOf,
  providerKind,
  providerRevisionKind,
  SORTS,
} from '@weft/controllers'

/*
 * The kinds of packages may be Crossplane's, and then they stay when Weft goes. What only Weft can make anything of must not stay in them: another package
 * manager would take `bundled:nop` for an image of a registry, and nobody would take Weft's finalizer off.
 */

const isBundled = ({ spec }: PackageObject): boolean => spec.package.startsWith(BUNDLED)

/** Those of the given kinds that packages made which come with Weft, directly or by a definition. */
export async function kindsOfBundled(
  client: Client,
  kinds: readonly CustomResourceDefinition[],
): Promise<readonly CustomResourceDefinition[]> {
  const owners = new Set((await objectsOf(client, providerKind)).filter(isBundled).map(({ metadata }) => metadata.uid ?? ''))
  if (owners.size === 0) return []
  for (const definition of await objectsOf(client, managedResourceDefinitionKind))
    if (isOwned(definition, owners)) owners.add(definition.metadata.uid ?? '')
  return kinds.filter((kind) => isOwned(kind, owners))
}

const isOwned = ({ metadata }: KubeObject, owners: ReadonlySet<string>): boolean =>
  metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) === true

/** Takes the packages that come with Weft away, and its finalizer off the others, which stay. Idempotent; answers what was removed. */
export async function removeOwnPackages(client: Client): Promise<readonly string[]> {
  const own: KubeObject[] = []
  for (const { kind } of SORTS) {
    for (const each of await objectsOf(client, kind)) {
      if (isBundled(each)) own.push(each)
      else if (each.metadata.finalizers?.includes(PACKAGE_FINALIZER) === true)
        await withoutFinalizers(client, each, (finalizer) => finalizer !== PACKAGE_FINALIZER)
    }
  }
  const names = new Set(own.map(({ metadata }) => metadata.name ?? ''))
  const owners = new Set(own.map(({ metadata }) => metadata.uid ?? ''))
  const definitions = (await objectsOf(client, managedResourceDefinitionKind)).filter((each) => isOwned(each, owners))
  const revisions = (await objectsOf(client, providerRevisionKind)).filter((each) => names.has(packageNameOf(each)))
  // The package itself goes last: without it, a second try would not find the rest.
  const removed = [...definitions, ...revisions, ...own]
  for (const object of removed) await remove(client, object)
  await forget(client)
  return removed.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name ?? ''}`)
}

/** The lock is one object for all packages; whatever cannot be resolved in it holds up every other. */
async function forget(client: Client): Promise<void> {
  for (const lock of (await objectsOf(client, lockKind)) as readonly Lock[]) {
    const packages = lock.packages?.filter(({ source }) => !source.startsWith(BUNDLED))
    if (packages !== undefined && packages.length < (lock.packages?.length ?? 0)) await client.update<Lock>({ ...lock, packages })
  }
}

async function remove(client: Client, object: KubeObject): Promise<void> {
  if ((object.metadata.finalizers ?? []).length > 0) await withoutFinalizers(client, object, () => false)
  await client.delete(gvkOf(object), refOf(object), { propagationPolicy: 'Background' }).catch(ignoreGone)
}

async function withoutFinalizers(client: Client, object: KubeObject, isKept: (finalizer: string) => boolean): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter(isKept)
  // Of the version that was read: a finalizer that somebody puts on meanwhile is not lost.
  const metadata = { finalizers, resourceVersion: object.metadata.resourceVersion }
  await client.patch(gvkOf(object), refOf(object), { type: 'merge', body: { metadata } }).catch(ignoreGone)
}

const refOf = ({ metadata: { name = '', namespace } }: KubeObject) => ({ name, namespace })

/** None where the kind is not served, or went meanwhile. */
export async function objectsOf<T extends KubeObject>(client: Client, kind: Kind<T>): Promise<readonly T[]> {
  try {
    return (await client.list<T>(kind)).items
  } catch (error) {
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return []
    throw error
  }
}

export function ignoreGone(error: unknown): void {
  if (!(error instanceof NoMatchError) && !hasReason(error, 'NotFound')) throw error
}
