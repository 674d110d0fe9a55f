import { deepEqual, type FieldError, forbidden, type GroupKind, type GroupVersionKind, invalid, type KubeObject } from '@weft/api'
import type { AdmissionPlugin, Authorizer, ServedKind, ServedKinds } from '@weft/apiserver'
import type { CustomResourceDefinition } from '@weft/client'
import {
  checkAggregation,
  checkClaim,
  checkClaimEdit,
  checkClass,
  checkAnyComposition,
  checkSpelling,
  checkPatterns,
  checkTemplate,
  type CompositeDefinition,
  type CompositeResourceDefinition,
  compositeResourceDefinitionKind,
  type CompositionSchemas,
  definesKind,
  ignoredKeywords,
  infrastructureDefinitionKind,
  type InfrastructurePublication,
  infrastructurePublicationKind,
  isActive,
  isProviderAccount,
  type ManagedResourceDefinition,
  managedResourceDefinitionKind,
  type Nature,
  natureOf,
  newlyNamedSecrets,
  renderManagedKind,
  requirementNames,
  serviceAccountOf,
} from '@weft/controllers'
import { checkExternalName } from '@weft/provider-sdk'
import { type AdmissionSubject, isWrite } from './admission-subject.ts'
import { kindFaults } from './kind-faults.ts'
import { accountUser } from '../accounts/account.ts'
import { DELEGATING, lacksRights } from '../authority/author-rights.ts'
import { COMPOSITE_DEFINITIONS, compositeDefinitionOf } from '../authority/composite-definition-of.ts'
import { embeddedAuthority } from '../authority/embedded-authority.ts'

const GROUP = 'apiextensions.crossplane.io'

export interface Judgement {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

const NOTHING_TO_SAY: Judgement = { errors: [], warnings: [] }

/**
 * Tells authors of claims, classes, binding rows, definitions and compositions of their mistakes when they apply them, and keeps managed resources
 * from being pointed to another external resource (on a real server a policy does that: `externalNamePolicy`). What depends on kinds
 * that are not served yet is not checked here; the controllers report it on use. The embedded server asks in process, a
 * real one by webhook. `byProvider`: whoever manages such resources writes.
 */
export function judge(
  subject: AdmissionSubject,
  kinds: ServedKinds,
  { byProvider = false }: { readonly byProvider?: boolean } = {},
): Judgement {
  const { object, oldObject, group, kind } = subject
  if (object === undefined || !isWrite(subject)) return NOTHING_TO_SAY
  const errors = [...checkClaim(object, oldObject), ...checkExternalName(object, oldObject, { byProvider })]
  // What is there already is not looked at again for a label or a finalizer: it must be possible to delete it.
  const isNews = ['spec', 'specTemplate'].some((field) => !deepEqual(object[field], oldObject?.[field]))
  if (isNews) errors.push(...checkClass(object, { kind: (wanted) => withNature(kinds.find(wanted)) }))
  const warnings: string[] = []
  if (group === GROUP && kind === 'Composition' && isNews) {
    for (const { severity, error } of checkAnyComposition(object, compositionSchemas(kinds))) {
      if (severity === 'error') errors.push(error)
      else warnings.push(`${error.path}: ${error.message}`)
    }
  }
  if (isNews || isRestated(object, oldObject))
    warnings.push(...checkSpelling(object, { schema: (wanted) => kinds.find(wanted)?.schema, objects: (wanted) => kinds.objects(wanted) }))
  if (isNews) warnings.push(...checkClaimEdit(object, oldObject))
  if (group === GROUP && kind === 'CompositeResourceDefinition' && isNews)
    warnings.push(...kindFaults(object), ...ignoredKeywords(object).map(({ path, message }) => `${path}: ${message}`))
  warnings.push(...checkAggregation(object, oldObject, (wanted) => kinds.objects(wanted)))
  if (group === GROUP && kind === 'ManagedResourceActivationPolicy' && isNews)
    warnings.push(...checkPatterns(object, kinds.objects(managedResourceDefinitionKind)))
  if (group === GROUP && COMPOSITE_DEFINITIONS.includes(kind) && isNews)
    errors.push(...checkTemplate((object as CompositeDefinition).spec.crdSpecTemplate, object.metadata.name ?? ''))
  return { errors, warnings }
}

/**
 * Is it written as it is? Somebody applies the same file again, or asks for a plan of it: a slip in it is still there to be told. Controllers, which change
 * metadata alone, never write what is there.
 */
function isRestated(object: KubeObject, oldObject: KubeObject | undefined): boolean {
  const meantOf = ({ metadata: { labels, annotations, finalizers } }: KubeObject): unknown => [labels, annotations, finalizers]
  return oldObject !== undefined && deepEqual(meantOf(object), meantOf(oldObject))
}

/** As a plug-in of the embedded server. `kinds` answers what it serves right now, `authorizer` what people may do. */
export function weftAdmission(kinds: () => ServedKinds, authorizer: () => Authorizer): AdmissionPlugin {
  const authority = embeddedAuthority(kinds, authorizer)
  return {
    name: 'WeftKinds',
    validate(request) {
      const { operation, object, oldObject, type, subresource, user } = request
      if (!type.custom) return undefined
      const subject = {
        operation,
        object,
        oldObject,
        group: type.group,
        version: type.version,
        kind: type.kind,
        subresource,
        resource: type.plural,
      }
      const isProvider = isProviderAccount(user.username)
      const byProvider = isProvider || user.username === accountUser('providers').username
      const { errors, warnings } = judge(subject, kinds(), { byProvider })
      if (isProvider) mustNameNoSecrets(subject)
      for (const warning of warnings) request.warn(warning)
      if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind, name: object?.metadata.name ?? '' }, errors)
      return DELEGATING.has(`${type.kind}.${type.group}`) ? mustHaveRights(user, subject, { kinds: kinds(), authority }) : undefined
    },
  }
}

/** A provider is given the Secrets that resources of its kinds name: it must not name them itself, or it would have any. */
function mustNameNoSecrets(subject: AdmissionSubject & { readonly resource: string }): void {
  const { object, oldObject, group, resource } = subject
  if (object === undefined || !isWrite(subject)) return
  const [named] = newlyNamedSecrets(object, oldObject)
  if (named === undefined) return
  throw forbidden(
    { group, resource, name: object.metadata.name ?? '' },
    `a provider may not refer to a Secret that nobody else has named (${named.namespace}/${named.name}): someone who may read it must set the reference`,
  )
}

async function mustHaveRights(...[author, subject, sources]: Parameters<typeof lacksRights>): Promise<void> {
  const refusal = await lacksRights(author, subject, sources)
  if (refusal !== undefined) throw refusal
}

const withNature = (kind: ServedKind | undefined): (ServedKind & { readonly nature: Nature }) | undefined =>
  kind && { ...kind, nature: kind.definition === undefined ? 'other' : natureOf(kind.definition as CustomResourceDefinition) }

/** Is it the kind of the requirements that a publication is about to make? */
function isPublished(kinds: ServedKinds, { group, kind }: GroupKind): boolean {
  const published = new Set(
    kinds
      .objects(infrastructurePublicationKind)
      .map((each) => (each as InfrastructurePublication).spec.infrastructureDefinitionReference.name),
  )
  return kinds
    .objects(infrastructureDefinitionKind)
    .filter(({ metadata }) => published.has(metadata.name ?? ''))
    .map((each) => (each as CompositeDefinition).spec.crdSpecTemplate)
    .some((template) => template.group === group && requirementNames(template.names).kind === kind)
}

/** Is it a composite resource or a claim that somebody defined? */
const isComposite = (kinds: ServedKinds, { group, kind }: GroupKind): boolean =>
  kinds.objects(compositeResourceDefinitionKind).some((each) => {
    const { spec } = each as CompositeResourceDefinition
    return spec.group === group && [spec.names.kind, spec.claimNames?.kind].includes(kind)
  })

/** Is it a managed kind that was activated, and will be served in a moment? */
const isActivated = (kinds: ServedKinds, kind: GroupVersionKind): boolean =>
  kinds
    .objects(managedResourceDefinitionKind)
    .filter((each) => definesKind(each, kind))
    .map((each) => each as ManagedResourceDefinition)
    .some((each) => isActive(each) && renderManagedKind(each).spec.versions.some(({ name, served }) => served && name === kind.version))

const compositionSchemas = (kinds: ServedKinds): CompositionSchemas => ({
  inactive: (kind) =>
    kinds.objects(managedResourceDefinitionKind).find((each) => definesKind(each, kind) && !isActive(each as ManagedResourceDefinition))
      ?.metadata.name,
  isComing: (kind) =>
    compositeDefinitionOf(kinds, kind) !== undefined || isPublished(kinds, kind) || isActivated(kinds, kind) || isComposite(kinds, kind),
  kind: (kind) => withNature(kinds.find(kind)),
  definition(kind) {
    const found = compositeDefinitionOf(kinds, kind)
    if (found === undefined) return undefined
    const definition = found as CompositeDefinition
    const { connectionDetails } = definition.spec
    return {
      namespaced: found.kind === 'ApplicationDefinition',
      account: serviceAccountOf(definition) !== undefined,
      ...(connectionDetails && { connectionDetails }),
    }
  },
})
