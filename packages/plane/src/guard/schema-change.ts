import { setImmediate } from 'node:timers/promises'
import { deepEqual, field, type FieldError, formatFieldErrors, type GroupVersionKind, type KubeObject, type Schema } from '@weft/api'
import { servedKindOf } from '@weft/apiserver'
import type { CustomResourceDefinition } from '@weft/client'
import { APPLICATION, type CompositeDefinition, INFRASTRUCTURE, renderCompositeKind, renderRequirementKind } from '@weft/controllers'
import type { Existing } from './existing.ts'

const TEMPLATE = 'spec.crdSpecTemplate'
/** Objects named in a message. */
const NAMED = 3
/** Objects checked at a time. */
const AT_ONCE = 200

/**
 * What a change of a definition would do to the instances that exist: one whose version or kind changes under them, or that no longer fit
 * its schema, could not be written any more, not even by the controllers.
 */
export async function checkSchemaChange(
  before: CompositeDefinition,
  after: CompositeDefinition,
  existing: Existing,
): Promise<readonly FieldError[]> {
  const [was, is] = [before.spec.crdSpecTemplate, after.spec.crdSpecTemplate]
  if (deepEqual(was, is)) return []
  const type = before.kind === 'ApplicationDefinition' ? APPLICATION : INFRASTRUCTURE
  const kinds = [[renderCompositeKind(type, before), renderCompositeKind(type, after)] as const]
  if (type === INFRASTRUCTURE) kinds.push([renderRequirementKind(before, was), renderRequirementKind(after, is)])
  const errors: FieldError[] = []
  for (const [old, next] of kinds) {
    const objects = await existing.objects(servedAs(old))
    if (objects.length === 0) continue
    errors.push(...checkNames(old, next, objects.length), ...(await checkObjects(old, next, objects)))
  }
  return errors
}

const servedAs = ({ spec }: CustomResourceDefinition): GroupVersionKind => ({
  group: spec.group,
  version: spec.versions[0]?.name ?? '',
  kind: spec.names.kind,
})

function checkNames(old: CustomResourceDefinition, next: CustomResourceDefinition, count: number): readonly FieldError[] {
  const [was, is] = [servedAs(old), servedAs(next)]
  const there = `${count} of ${old.spec.names.plural} exist`
  return [
    ...(was.version === is.version
      ? []
      : [
          field.forbidden(
            `${TEMPLATE}.version`,
            `cannot change from ${was.version} to ${is.version} while ${there}: define another kind, or delete them`,
          ),
        ]),
    ...(was.kind === is.kind
      ? []
      : [field.forbidden(`${TEMPLATE}.names.kind`, `cannot change from ${was.kind} to ${is.kind} while ${there}`)]),
  ]
}

async function checkObjects(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  objects: readonly KubeObject[],
): Promise<readonly FieldError[]> {
  const [was, is] = [old, next].map((crd) =>
    servedKindOf(schemaIn(crd), { namespaced: false, plural: crd.spec.names.plural, definition: crd }),
  )
  const broken: { readonly object: KubeObject; readonly errors: readonly FieldError[] }[] = []
  for (const [i, object] of objects.entries()) {
    // There may be many: others are served in between.
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const errors = is?.validate(object) ?? []
    // One that was wrong before is not made wrong by this.
    if (errors.length > 0 && (was?.validate(object) ?? []).length === 0) broken.push({ object, errors })
  }
  if (broken.length === 0) return []
  const named = broken.slice(0, NAMED).map(({ object, errors }) => `${nameOf(object)}: ${formatFieldErrors(errors.slice(0, 2))}`)
  const more = broken.length > NAMED ? `; and ${broken.length - NAMED} more` : ''
  return [
    field.forbidden(
      `${TEMPLATE}.validation`,
      `${broken.length} of ${objects.length} ${old.spec.names.plural} that exist would no longer be valid, and could no longer be changed: ${named.join('; ')}${more}. Change them first, or give the field a default`,
    ),
  ]
}

const nameOf = ({ metadata: { namespace, name = '' } }: KubeObject): string => (namespace === undefined ? name : `${namespace}/${name}`)

const schemaIn = ({ spec }: CustomResourceDefinition): Schema | undefined =>
  (spec.versions[0]?.['schema'] as { readonly openAPIV3Schema?: Schema } | undefined)?.openAPIV3Schema
