import { getOwn, type KubeObject, statusOf } from '@weft/api'
import { machineryOf, type MachineryPlace, type ObjectRef, singleReference } from '../normalise/reference.ts'
import { controllerOf } from '../references/match.ts'
import type { TraceRef, TraceRelation } from './node.ts'

export interface TracedChild {
  readonly ref: TraceRef
  readonly relation: TraceRelation
}

/**
 * The objects that `object` says are made or bound for it, in its own order: `resourceRef` of claims and requirements, `composedRefs` of composites
 * and applications, `resourceRefs` of composite resources, the ledgers of groups. Who is in a namespace has members in that one alone (C11).
 */
export function childrenOf(object: KubeObject): readonly TracedChild[] {
  const { namespace } = object.metadata
  return [
    ...references(machineryOf(object, 'spec')['resourceRef'], 'resourceRef'),
    ...references(machineryOf(object, 'spec.infrastructure')['resourceRef'], 'resourceRef'),
    ...references(machineryOf(object, 'spec.infrastructure')['composedRefs'], 'composedRefs'),
    ...references(machineryOf(object, 'spec.application')['composedRefs'], 'composedRefs', namespace),
    ...references(machineryOf(object, 'spec')['resourceRefs'], 'resourceRefs', namespace),
    ...references(machineryOf(object, 'spec.crossplane')['resourceRefs'], 'resourceRefs', namespace),
    ...ledger(object, 'aggregatedResources'),
    ...ledger(object, 'resources'),
  ]
}

const OWNER_FIELDS: readonly (readonly [string, MachineryPlace])[] = [
  ['claimRef', 'spec'],
  ['aggregateRef', 'spec'],
  ['compositeRef', 'spec'],
  ['requirementRef', 'spec'],
  ['requirementRef', 'spec.infrastructure'],
]

/** The object that this one was made or bound for; undefined at the top. */
export function ownerOf(object: KubeObject): TraceRef | undefined {
  for (const [field, place] of OWNER_FIELDS) {
    const [owner] = references(machineryOf(object, place)[field], 'resourceRef')
    if (owner !== undefined) return owner.ref
  }
  const controller = controllerOf(object)
  if (controller === undefined) return undefined
  const { apiVersion, kind, name } = controller
  const { namespace } = object.metadata
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
}

function references(value: unknown, relation: TraceRelation, namespace?: string): readonly TracedChild[] {
  return (Array.isArray(value) ? value : [value]).flatMap((raw: unknown) => {
    const ref = singleReference(raw, relation)
    const full = ref.ok ? complete(ref.value, namespace) : undefined
    return full === undefined ? [] : [{ ref: full, relation }]
  })
}

function complete(ref: ObjectRef | undefined, fallback: string | undefined): TraceRef | undefined {
  const { apiVersion, kind, name, namespace = fallback } = ref ?? {}
  if (apiVersion === undefined || kind === undefined || name === undefined || name === '') return undefined
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name }
}

const ledger = (object: KubeObject, relation: 'aggregatedResources' | 'resources'): readonly TracedChild[] =>
  references(getOwn(statusOf(object), relation) ?? [], relation)
