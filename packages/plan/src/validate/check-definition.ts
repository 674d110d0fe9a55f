import type { KubeObject } from '@weft/api'
import { customResourceDefinitionKind, isOfKind } from '@weft/client'
import {
  APPLICATION,
  applicationDefinitionKind,
  checkTemplate,
  type CompositeDefinition,
  type CompositeType,
  ignoredKeywords,
  INFRASTRUCTURE,
  infrastructureDefinitionKind,
  type InfrastructurePublication,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
  renderCompositeKind,
  RenderError as XrdRenderError,
  renderManagedKind,
} from '@weft/controllers'
import { crdFaults } from '@weft/schema'
import type { KnownKinds } from '../known/known-kinds.ts'
import { type XrdKind, xrdKinds } from '../known/xrd-kinds.ts'
import { withPlaceholderUid } from '../render/placeholders.ts'
import { asError, asErrors, asWarning, type Finding } from './problem.ts'

/** Checks what defines kinds: the kind that would come of it is held against all rules for CustomResourceDefinitions, its own rules (CEL) included. */
export function checkDefinition(object: KubeObject, kinds: KnownKinds): readonly Finding[] {
  if (isOfKind(customResourceDefinitionKind, object)) return checkCrd(object, (path) => path)
  if (isOfKind(managedResourceDefinitionKind, object))
    return tried(() => checkCrd(renderManagedKind(withPlaceholderUid(object)), (path) => path))
  if (isOfKind(infrastructurePublicationKind, object)) return checkPublication(object, kinds)
  const offered = xrdKinds(object)
  if (offered.length > 0)
    return [
      ...offered.flatMap((kind) => tried(() => checkXrdKind(kind))),
      ...ignoredKeywords(object).map(({ path, message }) => asWarning(path, message)),
    ]
  if (isOfKind(infrastructureDefinitionKind, object)) return tried(() => checkComposite(object, INFRASTRUCTURE))
  return isOfKind(applicationDefinitionKind, object) ? tried(() => checkComposite(object, APPLICATION)) : []
}

/** A document whose shape is not that of a definition has been told so by its schema. */
function tried(check: () => readonly Finding[]): readonly Finding[] {
  try {
    return check()
  } catch (error) {
    if (error instanceof TypeError) return []
    throw error
  }
}

/** Versions and their schemas stand in it as they do in the kind that comes of it; the schema of an only version is called another way in messages. */
function checkXrdKind(kind: XrdKind): readonly Finding[] {
  try {
    return checkCrd(kind.render(), (path) => path.replace(/^spec\.validation\./, 'spec.versions[0].schema.'))
  } catch (error) {
    if (error instanceof XrdRenderError) return [asError('spec', error.message)]
    throw error
  }
}

function checkComposite(definition: CompositeDefinition, type: CompositeType): readonly Finding[] {
  const errors = asErrors(checkTemplate(definition.spec.crdSpecTemplate, definition.metadata.name ?? ''))
  if (errors.length > 0) return errors
  return checkCrd(renderCompositeKind(type, withPlaceholderUid(definition)), pathInTemplate)
}

/** Where the author wrote what stands at a path of the CustomResourceDefinition. */
function pathInTemplate(path: string): string {
  const schema = 'spec.versions[0].schema.openAPIV3Schema'
  const template = 'spec.crdSpecTemplate'
  if (path.startsWith(schema)) return `${template}.validation.openAPIV3Schema${path.slice(schema.length)}`
  return path.startsWith('spec.') ? path.replace(/^spec/, template).replace('.versions[0].name', '.version') : path
}

const checkCrd = (object: KubeObject, place: (path: string) => string): readonly Finding[] =>
  crdFaults(object).map(({ path, message }) => asError(place(path), message))

function checkPublication({ metadata, spec }: InfrastructurePublication, kinds: KnownKinds): readonly Finding[] {
  const reference = spec?.infrastructureDefinitionReference?.name
  if (typeof reference !== 'string') return []
  if (reference !== metadata.name)
    return [asError('metadata.name', `must be ${reference}, the name of the InfrastructureDefinition that is published`)]
  if (kinds.hasDefinition(reference)) return []
  return [
    {
      severity: 'warning',
      path: 'spec.infrastructureDefinitionReference.name',
      message: `InfrastructureDefinition ${reference} is not among the files`,
    },
  ]
}
