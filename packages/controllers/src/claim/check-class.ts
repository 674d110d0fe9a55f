import { childPath, field, type FieldError, gvkOf, type GroupVersionKind, type KubeObject } from '@weft/api'
import { parseTemplateSource } from '@weft/composition'
import { isProblem, readRow } from '../bindings-table/row.ts'
import { BINDING_DEFINITION, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { isReservedGroup, type Nature } from '../definition/nature.ts'
import { notManaged } from './must-be-managed.ts'

/** What is known of kinds when a class is applied. Whatever is not known (yet) is not checked; it is told to the claims that use the class. */
export interface ClassSchemas {
  /** Undefined: not served now. */
  kind(
    kind: GroupVersionKind,
  ): { readonly namespaced: boolean; readonly nature: Nature; validate(object: KubeObject): readonly FieldError[] } | undefined
}

/**
 * Checks what claims are satisfied from when it is applied, so that mistakes are told to its author and not, later, to whoever claims: field paths, transforms,
 * opaque templates (F20), bases that are not of a managed kind or not valid objects of it (F6), rows of the binding table that cannot be read. Other kinds have nothing to
 * check. Pure; finds everything at once.
 */
export function checkClass(object: KubeObject, schemas: ClassSchemas): readonly FieldError[] {
  const kind = gvkOf(object)
  if (sameKind(kind, BINDING_DEFINITION)) {
    const row = readRow(object)
    if (isProblem(row)) return [field.invalid('spec', object.metadata.name ?? '', row.message)]
    return isMadeForClaims(row.managed, schemas) ? [] : [field.forbidden('spec.managed', `the row ${notManaged(row.managed)}`)]
  }
  if (!sameKind(kind, RESOURCE_CLASS) && !sameKind(kind, COMPOSITE_CLASS)) return []
  const source = parseTemplateSource(object)
  if (!source.ok) return source.error
  return source.value.templates.flatMap(({ base, origin }) => {
    const path = childPath(origin, 'base')
    const known = schemas.kind(gvkOf(base))
    if (known?.namespaced !== true && !isMadeForClaims(gvkOf(base), schemas)) return [field.forbidden(path, notManaged(gvkOf(base)))]
    if (known === undefined) return []
    if (known.namespaced)
      return [field.forbidden(path, `${base.kind} lives in namespaces: claims are satisfied by cluster-scoped resources`)]
    return known.validate(base).map((error) => ({ ...error, path: childPath(path, error.path) }))
  })
}

/** A kind that is not served yet may come to be managed, unless nobody can ever define it. */
function isMadeForClaims(kind: GroupVersionKind, schemas: ClassSchemas): boolean {
  const known = schemas.kind(kind)
  return known === undefined ? !isReservedGroup(kind.group) : known.nature === 'managed'
}
