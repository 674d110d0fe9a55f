import { type GroupKind, getOwn, type KubeObject, parseGroupVersion } from '@weft/api'
import type { InformerReader } from '@weft/client'
import type { Mapper, Request } from './controller.ts'

/** To look at this object. */
export const requestFor = ({ metadata: { namespace, name = '' } }: KubeObject): Request => ({ namespace, name })

/**
 * The objects of `owner`'s kind that own the changed one; only its controller unless told. By group and kind: an owner
 * reference may name any version.
 */
export function toOwner(owner: GroupKind, { controllerOnly = true }: { readonly controllerOnly?: boolean } = {}): Mapper {
  return ({ metadata }, primary) =>
    (metadata.ownerReferences ?? [])
      .filter(
        ({ apiVersion, kind, controller }) =>
          kind === owner.kind && parseGroupVersion(apiVersion).group === owner.group && (!controllerOnly || controller === true),
      )
      .map(({ name }) => known(primary, { namespace: metadata.namespace, name }))
}

/** The object that labels name: `toLabelled({ name: 'example.org/claim-name', namespace: 'example.org/claim-namespace' })`. */
export function toLabelled(labels: { readonly name: string; readonly namespace?: string }): Mapper {
  return ({ metadata }) => {
    const name = getOwn(metadata.labels ?? {}, labels.name)
    const namespace = labels.namespace === undefined ? undefined : getOwn(metadata.labels ?? {}, labels.namespace)
    return typeof name === 'string' && name !== ''
      ? [{ name, namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined }]
      : []
  }
}

/** The objects that an index of the controller's own kind files under one of the values: whoever refers to the changed object. */
export function toIndexed<W extends KubeObject>(index: string, valuesOf: (object: W) => readonly string[]): Mapper<W> {
  return (object, primary) => {
    const found: Request[] = []
    for (const value of valuesOf(object)) for (const each of primary.byIndex(index, value)) found.push(requestFor(each))
    return found
  }
}

/** An owner of a namespaced object is in the same namespace, or in none. */
function known(primary: InformerReader, request: Request): Request {
  return primary.get(request) === undefined && primary.get({ name: request.name }) !== undefined ? { name: request.name } : request
}
