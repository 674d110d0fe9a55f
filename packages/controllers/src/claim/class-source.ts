import { formatFieldErrors, formatGroupKind, formatGroupVersion, type GroupKind, gvkOf, type KubeObject } from '@weft/api'
import {
  classTemplate,
  type ComposedTemplate,
  type ObjectRef,
  parseTemplateSource,
  provisionedExternalName,
  requestedExternalName,
} from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describe } from '../binding/claimant.ts'
import { kindOfRef } from '../binding/spec-reference.ts'
import type { BindingRow, FieldMapping } from '../bindings-table/row.ts'
import { sameKind } from '../bindings-table/well-known.ts'
import { kindOf } from './served-kinds.ts'
import { type ClaimTask, findObject } from './services.ts'

/** One resource that a class makes for a claim, and what goes with it besides its template. */
export interface MemberTemplate {
  readonly template: ComposedTemplate
  /** The class it is made from, where each member has its own (000, 003). */
  readonly classObject: KubeObject
  readonly fieldMappings: readonly FieldMapping[]
  /** A18, A19, F15. Undefined: named after itself. */
  readonly externalName: string | undefined
}

/** The class that a claim refers to; rejects (ClassNotFound) while there is none. */
export async function findClass(task: ClaimTask, ref: ObjectRef): Promise<KubeObject> {
  const kind = kindOfRef(ref)
  const found = kind && ref.name !== undefined ? await findObject(task, kind, { name: ref.name }) : undefined
  if (found === undefined) throw new BindingError('ClassNotFound', `there is no ${describe(ref)}: create it, or refer to another class`)
  return found
}

/** What a typed class (003, or a member of an aggregate) makes for this claim, by its row of the binding table. */
export function typedTemplate(claim: KubeObject, classObject: KubeObject, row: BindingRow): MemberTemplate {
  const { kind } = row.managed
  return {
    template: classTemplate(classObject, { apiVersion: formatGroupVersion(row.managed), kind }),
    classObject,
    fieldMappings: row.fieldMappings,
    externalName: provisionedExternalName(claim, classObject),
  }
}

/** F3, F5: what a ResourceClass or CompositeResourceClass makes for this claim, in order. */
export function flexibleTemplates(claim: KubeObject, classObject: KubeObject): readonly MemberTemplate[] {
  const source = parseTemplateSource(classObject)
  const name = `${classObject.kind} ${classObject.metadata.name ?? ''}`
  if (!source.ok) throw new BindingError('ClassUnusable', `${name} cannot be used: ${formatFieldErrors(source.error)}`)
  const { intent, templates } = source.value
  const wanted: GroupKind | undefined = intent && gvkOf(intent)
  if (wanted === undefined || !sameKind(wanted, kindOf(claim)))
    throw new BindingError(
      'ClassUnusable',
      `${name} is for ${wanted === undefined ? 'no kind' : formatGroupKind(wanted)}, not for ${formatGroupKind(kindOf(claim))}`,
    )
  return templates.map((template) => ({ template, classObject, fieldMappings: [], externalName: requestedExternalName(claim) }))
}
