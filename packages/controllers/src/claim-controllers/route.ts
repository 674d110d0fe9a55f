import { formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import { phaseOf } from '../binding/phase.ts'
import { kindOfRef, specRef } from '../binding/spec-reference.ts'
import type { BindingRow } from '../bindings-table/row.ts'
import type { BindingsTable } from '../bindings-table/table.ts'
import { AGGREGATE, AGGREGATE_CLASS, COMPOSITE, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { kindOf } from '../claim/served-kinds.ts'

/** Exactly one binder is responsible for a claim, by the kind of `resourceRef`, else of `classRef` (BEHAVIOUR 10, coexistence 3). */
export type Route =
  | { readonly binder: 'aggregate' }
  | { readonly binder: 'composite' }
  /** One managed resource, through a typed class (a row), through a ResourceClass, or by name alone. */
  | {
      readonly binder: 'direct'
      readonly source: { readonly type: 'row'; readonly row: BindingRow } | { readonly type: 'flexible' } | { readonly type: 'none' }
    }
  /** S18: nobody is responsible. `why` is for people. */
  | { readonly binder: 'none'; readonly why: string }

export function routeOf(claim: KubeObject, table: BindingsTable): Route {
  const resource = specRef(claim, 'resourceRef')
  const classKind = kindOfRef(specRef(claim, 'classRef'))
  const target = kindOfRef(resource)
  const kind = kindOf(claim)
  if (resource?.name !== undefined && target === undefined)
    return { binder: 'none', why: 'spec.resourceRef must say which kind it refers to: give its apiVersion and kind' }
  if (target === undefined || resource?.name === undefined) return classKind === undefined ? NOWHERE : byClass(kind, classKind, table)
  if (sameKind(target, AGGREGATE)) return { binder: 'aggregate' }
  if (sameKind(target, COMPOSITE)) return { binder: 'composite' }
  const through = classKind === undefined ? undefined : byClass(kind, classKind, table)
  if (through?.binder === 'direct') return through
  // What is bound already depends on nothing that allowed it (F19).
  if (table.binds(kind, target) || phaseOf(claim) === 'Bound') return { binder: 'direct', source: { type: 'none' } }
  return { binder: 'none', why: `nothing lets a ${formatGroupKind(kind)} be satisfied by a ${formatGroupKind(target)}` }
}

const NOWHERE: Route = { binder: 'none', why: 'spec.classRef must say which kind it refers to: give its apiVersion and kind' }

function byClass(claim: GroupKind, classKind: GroupKind, table: BindingsTable): Route {
  if (sameKind(classKind, AGGREGATE_CLASS)) return { binder: 'aggregate' }
  if (sameKind(classKind, COMPOSITE_CLASS)) return { binder: 'composite' }
  if (sameKind(classKind, RESOURCE_CLASS)) return { binder: 'direct', source: { type: 'flexible' } }
  const row = table.row(claim, classKind)
  if (row?.direct === true) return { binder: 'direct', source: { type: 'row', row } }
  if (row !== undefined)
    return {
      binder: 'none',
      why: `a ${formatGroupKind(classKind)} can only be part of an AggregateResourceClass for a ${formatGroupKind(claim)}`,
    }
  return { binder: 'none', why: `nothing lets a ${formatGroupKind(claim)} be satisfied through a ${formatGroupKind(classKind)}` }
}
