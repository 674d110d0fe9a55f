import { childPath, field, type FieldError, formatGroupKind, gvkOf, type GroupVersionKind, type KubeObject, type Schema } from '@weft/api'
import { type ComposedTemplate, parseTemplateSource, type TemplateSource } from '@weft/composition'
import { isProblem, readRow } from '../bindings-table/row.ts'
import { BINDING_DEFINITION, COMPOSITE_CLASS, isMachinery, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { noEnvironment } from '../definition/no-environment.ts'
import { placeOf } from '../definition/schema-path.ts'
import { isReservedGroup, type Nature } from '../definition/nature.ts'
import { allowsClaimFields } from './claim-schema.ts'
import { notManaged } from './must-be-managed.ts'

/** What is known of kinds when a class is applied. Whatever is not known (yet) is not checked; it is told to the claims that use the class. */
export interface ClassSchemas {
  /** Undefined: not served now. */
  kind(kind: GroupVersionKind):
    | {
        readonly namespaced: boolean
        readonly nature: Nature
        readonly schema?: Schema | undefined
        validate(object: KubeObject): readonly FieldError[]
      }
    | undefined
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
  return [
    ...checkIntent(source.value.intent, schemas),
    ...source.value.templates.flatMap((template) => [
      ...checkBase(template, schemas, sameKind(kind, RESOURCE_CLASS)),
      ...template.patches.flatMap((patch) => noEnvironment(patch) ?? []),
      ...checkPaths(template, source.value.intent, schemas),
    ]),
  ]
}

/** F2: what the class is for must be something that can be a claim. */
function checkIntent(intent: TemplateSource['intent'], schemas: ClassSchemas): readonly FieldError[] {
  if (intent === undefined) return []
  const kind = gvkOf(intent)
  const known = schemas.kind(kind)
  if (isMachinery(kind))
    return [field.forbidden('spec.claim', `${formatGroupKind(kind)} is used by the control plane itself, and cannot be a claim`)]
  if (known === undefined) return []
  if (!known.namespaced) return [field.forbidden('spec.claim', `${formatGroupKind(kind)} is cluster-scoped: claims are namespaced`)]
  if (known.schema === undefined || allowsClaimFields(known.schema)) return []
  return [field.forbidden('spec.claim', `${formatGroupKind(kind)} has no spec.classRef and spec.resourceRef: its objects cannot be claims`)]
}

function checkBase({ base, origin }: ComposedTemplate, schemas: ClassSchemas, isOfOne: boolean): readonly FieldError[] {
  const path = childPath(origin, 'base')
  const known = schemas.kind(gvkOf(base))
  // One that lives in namespaces is made in that of the claim.
  if (isOfOne && known?.nature === 'composite resource')
    return known.validate(base).map((error) => ({ ...error, path: childPath(path, error.path) }))
  if (known?.namespaced !== true && !isMadeForClaims(gvkOf(base), schemas)) return [field.forbidden(path, notManaged(gvkOf(base)))]
  if (known === undefined) return []
  if (known.namespaced) return [field.forbidden(path, `${base.kind} is namespaced: claims are satisfied by cluster-scoped resources`)]
  return known.validate(base).map((error) => ({ ...error, path: childPath(path, error.path) }))
}

/** A field that no claim of the kind can have would never be copied, without a word. */
function checkPaths({ patches }: ComposedTemplate, intent: TemplateSource['intent'], schemas: ClassSchemas): readonly FieldError[] {
  const schema = intent && schemas.kind(gvkOf(intent))?.schema
  if (intent === undefined || schema === undefined) return []
  return patches.flatMap(({ from, input, origin }) => {
    const read = from !== 'composite' ? [] : input.kind === 'field' ? [input.path] : input.variables
    return read.flatMap((path) => {
      const place = placeOf(schema, path)
      return place.known ? [] : [field.invalid(childPath(origin, 'fromFieldPath'), path.text, `a ${intent.kind} has no field ${place.at}`)]
    })
  })
}

/** A kind that is not served yet may come to be managed, unless nobody can ever define it. */
function isMadeForClaims(kind: GroupVersionKind, schemas: ClassSchemas): boolean {
  const known = schemas.kind(kind)
  return known === undefined ? !isReservedGroup(kind.group) && !isMachinery(kind) : known.nature === 'managed'
}
