import { refAt } from '../binding/spec-reference.ts'
import { deepEqual, formatFieldErrors, generateName, type GroupKind, gvkOf, type KubeObject, parseGroupVersion } from '@weft/api'
import type { Client, Random } from '@weft/client'
import {
  composedNamePrefix,
  type ComposedTemplate,
  COMPOSITE_LABEL,
  compositeLabels,
  connectionSecretRef,
  contractErrors,
  controllerOf,
  labelValue,
  render,
  type Rendered,
  RESOURCE_NAME,
  type TemplateSource,
} from '@weft/composition'
import type { ReconcileContext } from '@weft/runtime'
import { findLive } from '../binding/live-object.ts'
import { findMade, wasWritten } from '../binding/naming.ts'
import { controllerReference } from '../connection/control.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { untilServed } from '../definition/until-served.ts'
import { applyFailure, type MemberApplier } from './apply-member.ts'
import { giveTurn, withTurn } from '../deletion/delete-in-order.ts'
import { CompositeError } from './composite-error.ts'
import type { KindIndex } from './kind-index.ts'
import { type ComposedRef, composedRefsOf, type Member, type MemberPlan, planMembers } from './members.ts'
import type { CompositeType } from './composite-type.ts'
import { composedBy } from './record.ts'
import { kindOfTemplate, mustBeInScope } from './scope.ts'
import type { CompositeSettings } from './settings.ts'

/** What composing one kind of composite works with. */
export interface Workshop {
  readonly type: CompositeType
  readonly kind: DefinedKind
  readonly index: KindIndex
  readonly applier: MemberApplier
  readonly random: Random
}

/** C16: checked before anything is composed. Applications have no connection (C7). */
export function mustKeepContract(
  { templates }: TemplateSource,
  type: CompositeType,
  { connectionDetails }: CompositeSettings,
  composition: string,
): void {
  const errors = type.name === 'Infrastructure' ? contractErrors(connectionDetails ?? [], templates) : []
  if (errors.length > 0)
    throw new CompositeError(
      'ContractBroken',
      `Composition ${composition} does not keep the definition's contract: ${formatFieldErrors(errors)}`,
    )
}

/**
 * The kind of every template, all served and all in scope; otherwise nothing at all is composed. The composite follows them from now on, and waits for those
 * that are not served.
 */
export async function kindsOf(
  workshop: Workshop,
  composite: KubeObject,
  templates: readonly ComposedTemplate[],
  {
    client,
    account,
    follow,
    inMemory,
  }: Pick<Means, 'client'> & Pick<ReconcileContext, 'follow' | 'inMemory'> & { readonly account: boolean },
): Promise<readonly DefinedKind[]> {
  const missing: { readonly kind: GroupKind; readonly error: CompositeError }[] = []
  const kinds: DefinedKind[] = []
  for (const template of templates) {
    try {
      const kind = await kindOfTemplate(template, workshop.index, client)
      mustBeInScope(composite, { type: workshop.type, account }, template, kind)
      kinds.push(kind)
    } catch (error) {
      if (!(error instanceof CompositeError) || error.code !== 'KindNotServed') throw error
      missing.push({ kind: gvkOf(template.base), error })
    }
  }
  const members = kinds.map((kind) => ({ kind }))
  follow(missing.length === 0 ? members : [...members, untilServed(missing.map(({ kind }) => kind))])
  if (missing[0] !== undefined) throw missing[0].error
  // After a restart every composite comes at once: none of them asks for its members one by one, nor again when the watch is complete.
  if (composedBy(composite) !== undefined) await inMemory(kinds)
  return kinds
}

/** Through what members are reached, and the kind of each template. */
interface Means extends Pick<ReconcileContext, 'known'> {
  readonly client: Client
  readonly kinds: readonly DefinedKind[]
}

/** The plan, with what was seen of members on the way: it need not be asked for again. */
interface Planned extends MemberPlan {
  readonly observed: ReadonlyMap<string, KubeObject>
  /** Names that were made up in this very pass: nothing has them yet. */
  readonly named: ReadonlySet<string>
}

/**
 * References to all members, old names kept. `refs` are those that are written down; a name that was lost, or that leads to nothing of this
 * composite's, is replaced by that of the member which says of itself that the template made it.
 */
export async function plan(
  workshop: Workshop,
  composite: KubeObject,
  templates: readonly ComposedTemplate[],
  { client, kinds, known, refs: given }: Means & { readonly refs: readonly (ComposedRef | undefined)[] },
): Promise<Planned> {
  const prefix = composedNamePrefix(composite.metadata.name ?? '')
  const mayHaveMembers = composedBy(composite) !== undefined || wasWritten(composite, 1)
  const settled: (ComposedRef | undefined)[] = []
  const lostName = async (template: ComposedTemplate): Promise<string | undefined> => {
    const kind = kinds[templates.indexOf(template)]
    if (!mayHaveMembers || kind === undefined) return undefined
    const name = await findLost(client, composite, template, kind)
    // One that has a place already, which a move may give to another template, is not lost.
    return [...given, ...settled].some((ref) => ref?.name === name && ref?.kind === kind.kind) ? undefined : name
  }
  const observed = new Map<string, KubeObject>()
  const named = new Set<string>()
  const newName = (): string => {
    const name = generateName(prefix, workshop.random)
    named.add(name)
    return name
  }
  for (const [i, ref] of given.entries()) {
    const template = templates[i]
    const kind = kinds[i]
    if (ref === undefined || composedBy(composite) === undefined) {
      // Nothing exists by a Composition that never composed anything: another may be chosen, and its names are void.
      settled.push(ref === undefined || (await isOwn(client, composite, ref)) || fitsTemplate(ref, template) ? ref : undefined)
      continue
    }
    if (template === undefined || kind === undefined || !fitsTemplate(ref, template)) {
      settled.push(ref)
      continue
    }
    const place = { client, kind, cache: known(kind) }
    const seen = await workshop.applier.observe(place, { name: ref.name, namespace: composite.metadata.namespace }, composite)
    const own = seen !== undefined && controllerOf(seen)?.uid === composite.metadata.uid
    if (own) observed.set(memberKey(ref), seen)
    const name = own ? undefined : await lostName(template)
    settled.push(name === undefined ? ref : { ...ref, name })
  }
  while (settled.length > templates.length && settled.at(-1) === undefined) settled.pop()
  const planned = await planMembers(templates, settled, async (template) => (await lostName(template)) ?? newName())
  const changed = !deepEqual(planned.refs, composedRefsOf(composite, workshop.type))
  return { ...planned, changed, observed, named }
}

const memberKey = ({ kind, name }: ComposedRef): string => `${kind}/${name}`

const fitsTemplate = (ref: ComposedRef, template: ComposedTemplate | undefined): boolean =>
  template !== undefined && ref.kind === template.base.kind && parseGroupVersion(ref.apiVersion).group === gvkOf(template.base).group

async function isOwn(client: Client, composite: KubeObject, { apiVersion, kind, name }: ComposedRef): Promise<boolean> {
  const { group, version } = parseGroupVersion(apiVersion)
  const found = await findLive(client, { group, version, kind }, { name, namespace: composite.metadata.namespace })
  return found !== undefined && controllerOf(found)?.uid === composite.metadata.uid
}

async function findLost(
  client: Client,
  composite: KubeObject,
  { identity }: ComposedTemplate,
  kind: DefinedKind,
): Promise<string | undefined> {
  const { name = '', namespace } = composite.metadata
  const mark = { label: COMPOSITE_LABEL, value: labelValue(name), namespace }
  const isIts = (member: KubeObject): boolean =>
    controllerOf(member)?.uid === composite.metadata.uid && member.metadata.annotations?.[RESOURCE_NAME] === identity
  const [lost] = await findMade(client, kind, mark, isIts)
  return lost?.metadata.name
}

export interface Composed extends Member {
  readonly object: KubeObject | undefined
}

export interface Composing {
  readonly members: readonly Composed[]
  /** Names of those that did not exist before. */
  readonly created: readonly KubeObject[]
  /** Of members that could not be applied; the others were. */
  readonly errors: readonly CompositeError[]
}

/** Renders every member first, so that a broken template leaves nothing half-made, then applies them. */
export async function composeMembers(
  workshop: Workshop,
  composite: KubeObject,
  members: readonly Member[],
  {
    client,
    known,
    kinds,
    blocking,
    observed,
    named,
    isOrdered,
  }: Means & Pick<Planned, 'observed' | 'named'> & { readonly blocking: boolean; readonly isOrdered: boolean },
): Promise<Composing> {
  const rendered = members.map((member) => renderMember(workshop.type, composite, member, blocking).object)
  const created: KubeObject[] = []
  const errors: CompositeError[] = []
  const composed = await Promise.all(
    members.map(async (member, i): Promise<Composed> => {
      const desired = isOrdered ? withTurn(rendered[i] as KubeObject) : (rendered[i] as KubeObject)
      const kind = kinds[i] as DefinedKind
      const place = { client, kind, cache: known(kind) }
      try {
        const seen = observed.get(memberKey(member.ref))
        const { object, created: isNew } = await workshop.applier.apply(place, desired, composite, seen, {
          isNamedNow: named.has(member.ref.name),
        })
        if (isNew) created.push(object)
        // Somebody deleted it while its composite lives: there is nobody to wait for.
        if (object.metadata.deletionTimestamp !== undefined) await giveTurn(client, object)
        return { ...member, object }
      } catch (error) {
        errors.push(applyFailure(desired, error))
        return { ...member, object: undefined }
      }
    }),
  )
  return { members: composed, created, errors }
}

/** The member that a template makes. `blocking`: a composite that is deleted in the foreground waits for its members. Setting that takes rights that an account may not have (C13). */
export function renderMember(type: CompositeType, composite: KubeObject, { template, ref }: Member, blocking: boolean): Rendered {
  const { name = '', namespace } = composite.metadata
  const rendered = render(template, {
    from: composite,
    name: ref.name,
    ...(type.scope === 'Namespaced' && { namespace }),
    labels: compositeLabels(name, requirementOf(composite, type)),
    annotations: { [RESOURCE_NAME]: template.identity },
    ownerReferences: [{ ...controllerReference(composite), blockOwnerDeletion: blocking }],
    secret: { taken: connectionSecretRef(composite) },
  })
  if (!rendered.ok) throw new CompositeError('RenderFailed', rendered.error.message)
  return rendered.value
}

function requirementOf(composite: KubeObject, { place }: CompositeType): { namespace: string; name: string } | undefined {
  const { namespace, name } = refAt(composite, place, 'requirementRef') ?? {}
  return name === undefined || name === '' || namespace === undefined ? undefined : { namespace, name }
}
