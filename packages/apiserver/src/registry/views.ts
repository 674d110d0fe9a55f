import type { KubeObject } from '@weft/api'
import { longWork } from './long-work.ts'
import type { Conversion, ResourceType } from './resource-type.ts'
import { StoredObject } from './stored-object.ts'

/**
 * An object as one API version shows it: converted from the stored version, pruned and defaulted by today's schema
 * (which may be newer than the object). Made once per stored version and type, then shared.
 */
const views = new WeakMap<ResourceType, WeakMap<StoredObject, StoredObject>>()

export function viewOf(type: ResourceType, stored: StoredObject): StoredObject | Promise<StoredObject> {
  if (!needsView(type)) return stored
  const known = cacheOf(type).get(stored)
  if (known !== undefined) return known
  const converted = type.conversion === undefined ? [stored.object] : type.conversion.fromStored([stored.object])
  return converted instanceof Promise ? converted.then(([object]) => remember(type, stored, object)) : remember(type, stored, converted[0])
}

/** All views of a list; asks a conversion webhook once for those that are missing. Those of a long list are made in turns. */
export function viewsOf(type: ResourceType, list: readonly StoredObject[]): readonly StoredObject[] | Promise<readonly StoredObject[]> {
  if (!needsView(type)) return list
  const cache = cacheOf(type)
  const missing = list.filter((stored) => !cache.has(stored))
  const made =
    type.conversion?.asks === true ? askedViews(type, type.conversion, missing) : longWork.map(missing, (one) => viewOf(type, one))
  const finish = (): readonly StoredObject[] => list.map((stored) => cache.get(stored) as StoredObject)
  return made instanceof Promise ? made.then(finish) : finish()
}

async function askedViews(type: ResourceType, conversion: Conversion, missing: readonly StoredObject[]): Promise<void> {
  if (missing.length === 0) return
  const objects = await conversion.fromStored(missing.map(({ object }) => object))
  missing.forEach((stored, i) => remember(type, stored, objects[i]))
}

/** Records what a write in this version looked like, so that reading it back costs nothing. */
export function rememberView(type: ResourceType, stored: StoredObject, object: KubeObject): StoredObject {
  if (!needsView(type)) return stored
  const view = object === stored.object ? stored : StoredObject.ofObject(stored.key, stored.revision, object)
  cacheOf(type).set(stored, view)
  return view
}

/**
 * Something is about to be written in the version in which it is shown: whoever watches need not have it read again, nor need parts of it that are sent
 * back. What the server took away may have a default.
 */
export function rememberMade(type: ResourceType, made: StoredObject): void {
  if (!needsView(type)) return
  // What was applied may have nulls in it, which reading takes away.
  if (type.learn !== undefined && !made.json.includes('null')) type.learn(made.object)
  rememberView(type, made, type.custom && type.conversion === undefined ? type.decode(made.object) : made.object)
}

const needsView = (type: ResourceType): boolean => type.custom || type.conversion !== undefined

function cacheOf(type: ResourceType): WeakMap<StoredObject, StoredObject> {
  let cache = views.get(type)
  if (cache === undefined) {
    cache = new WeakMap()
    views.set(type, cache)
  }
  return cache
}

function remember(type: ResourceType, stored: StoredObject, converted: KubeObject | undefined): StoredObject {
  // Conversion has decoded custom resources already, by the schema of the version in which they are stored.
  const object =
    converted === undefined || type.conversion === undefined || !type.custom ? type.decode(converted ?? stored.object) : converted
  return rememberView(type, stored, object)
}
