import type { KubeObject } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { scaleMapping } from '../../registry/index.ts'

/** The objects of a request in one version of their resource. */
export interface Versioned {
  readonly type: ResourceType
  readonly object?: KubeObject
  readonly oldObject?: KubeObject
}

/** A request's objects in any version that a webhook or policy asked for, converted once each. */
export class VersionedObjects {
  readonly #request: AdmissionRequest
  readonly #known = new Map<ResourceType, Versioned | Promise<Versioned>>()

  constructor(request: AdmissionRequest) {
    this.#request = request
  }

  in(type: ResourceType): Versioned | Promise<Versioned> {
    let versioned = this.#known.get(type)
    if (versioned === undefined) this.#known.set(type, (versioned = versionedIn(this.#request, this.#request, type)))
    return versioned
  }
}

/** `current` in version `to`. What a subresource shows in a kind of its own (Scale) is the same in every version. */
export function versionedIn(current: Versioned, { subresource }: AdmissionRequest, to: ResourceType): Versioned | Promise<Versioned> {
  if (current.type === to) return current
  return scaleMapping(to, subresource) === undefined ? convertVersioned(current, to) : { ...current, type: to }
}

function convertVersioned(from: Versioned, to: ResourceType): Versioned | Promise<Versioned> {
  const convert = (object: KubeObject | undefined): KubeObject | undefined | Promise<KubeObject> =>
    object === undefined ? undefined : convertObject(object, from.type, to)
  const object = convert(from.object)
  const oldObject = convert(from.oldObject)
  if (object instanceof Promise || oldObject instanceof Promise)
    return Promise.all([object, oldObject]).then((both) => versionedOf(to, ...both))
  return versionedOf(to, object, oldObject)
}

const versionedOf = (type: ResourceType, object: KubeObject | undefined, oldObject: KubeObject | undefined): Versioned => ({
  type,
  ...(object && { object }),
  ...(oldObject && { oldObject }),
})

/** Between two versions of one resource. Promises appear only where a conversion webhook is asked. */
export function convertObject(object: KubeObject, from: ResourceType, to: ResourceType): KubeObject | Promise<KubeObject> {
  if (from === to) return object
  // Custom resources convert directly from any version; built-in ones go through the stored version.
  const stored = from.custom || from.conversion === undefined ? [object] : from.conversion.toStored([object])
  return stored instanceof Promise ? stored.then((objects) => fromStored(objects, to)) : fromStored(stored, to)
}

function fromStored(stored: readonly KubeObject[], to: ResourceType): KubeObject | Promise<KubeObject> {
  const converted = to.conversion === undefined ? stored : to.conversion.fromStored(stored)
  return converted instanceof Promise ? converted.then(([object]) => object as KubeObject) : (converted[0] as KubeObject)
}
