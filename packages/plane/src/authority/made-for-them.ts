import { getOwn, type GroupKind, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { type Authorizer, type ObjectLookup, resourceAttributes } from '@weft/apiserver'
import { controllerOf, ownerOf, type TraceRef } from '@weft/composition'
import { AGGREGATE, COMPOSITE, isReservedGroup, sameKind } from '@weft/controllers'

/** Deeper than anything is composed. */
const MAX_DEPTH = 32

/**
 * Lets people see what was made for them. Managed resources, groups and composites are cluster-scoped, and belong to all tenants: no role can say which of
 * them are whose. They say it themselves: each names what it was made or bound for, up to a claim, requirement or application in a namespace. Whoever may get
 * that by RBAC may get this, by name; not list or watch it, and not write it. The names are written by Weft, never by the author of a claim.
 */
export function madeForThem(objects: () => ObjectLookup | undefined, rbac: () => Authorizer | undefined): Authorizer {
  return {
    authorize(attributes) {
      const { user, verb, namespace, apiGroup, resource, subresource, name, resourceRequest } = attributes
      if (!resourceRequest || verb !== 'get' || name === '' || namespace !== '' || subresource !== '') return DENIED
      const lookup = objects()
      const asked = lookup?.ofResource({ group: apiGroup, resource }, name)
      if (lookup === undefined || asked === undefined || !isMade(asked)) return DENIED
      const intent = intentOf(asked, lookup)
      if (intent === undefined) return DENIED
      const { group } = parseGroupVersion(intent.object.apiVersion)
      const { namespace: home = '', name: called = '' } = intent.object.metadata
      const get = { verb: 'get', apiGroup: group, resource: intent.plural, namespace: home, name: called }
      return rbac()?.authorize(resourceAttributes(user, get)).allowed === true ? ALLOWED : DENIED
    },
  }
}

const ALLOWED = { allowed: true, reason: 'it was created for something that the user may get' }
const DENIED = { allowed: false, reason: '' }

/** Of the machinery's own kinds only groups are made for somebody. */
function isMade({ apiVersion, kind }: KubeObject): boolean {
  const { group } = parseGroupVersion(apiVersion)
  const self: GroupKind = { group, kind }
  return !isReservedGroup(group) || sameKind(self, AGGREGATE) || sameKind(self, COMPOSITE)
}

type Found = NonNullable<ReturnType<ObjectLookup['ofKind']>>

/** The object in a namespace that this was made for, however many steps up; undefined when it is gone, or another of its name. */
function intentOf(made: KubeObject, lookup: ObjectLookup): Found | undefined {
  let object = made
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const ref = ownerOf(object)
    const owner =
      ref && lookup.ofKind({ ...parseGroupVersion(ref.apiVersion), kind: ref.kind }, { namespace: ref.namespace, name: ref.name })
    if (ref === undefined || owner === undefined) return undefined
    const uid = uidOf(object, ref)
    if (uid !== undefined && uid !== owner.object.metadata.uid) return undefined
    if (owner.object.metadata.namespace !== undefined) return owner
    object = owner.object
  }
  return undefined
}

/** The uid that goes with a reference of an object to its owner, wherever that stands. */
function uidOf(object: KubeObject, { kind, name }: TraceRef): string | undefined {
  const spec = specOf(object)
  const inner = getOwn(spec, 'infrastructure')
  const places = [spec, ...(isJsonObject(inner) ? [inner] : [])]
  const named = places.flatMap((place) =>
    ['claimRef', 'aggregateRef', 'compositeRef', 'requirementRef'].map((field) => getOwn(place, field)),
  )
  for (const ref of [...named, controllerOf(object)])
    if (isJsonObject(ref) && ref['kind'] === kind && ref['name'] === name && typeof ref['uid'] === 'string') return ref['uid']
  return undefined
}
