import { formatGroupKind, type GroupKind, gvkOf, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { applyPatches, composedNamePrefix, compositeLabels, controllerOf, RESOURCE_NAME } from '@weft/composition'
import {
  APPLICATION,
  choiceOf,
  composedRefsOf,
  type CompositeSettings,
  type CompositeType,
  compositionKind,
  INFRASTRUCTURE,
  isFor,
  labelledCompositions,
  type Member,
  mustBeInScope,
  natureOf,
  mustKeepContract,
  noComposition,
  planMembers,
  renderMember,
  settingsOf,
  templatesFor,
  withMembers,
} from '@weft/controllers'
import { addObject, noteSkipped } from './add-object.ts'
import { machineryOrigins } from './machinery-origins.ts'
import { placeholderName } from './placeholders.ts'
import { type Draft, RenderError } from './rendering.ts'

/** Renders whatever a member is an intent for itself. */
export type RenderNested = (draft: Draft, member: KubeObject) => Promise<void>

export interface CompositeKind {
  readonly type: CompositeType
  readonly settings: CompositeSettings
}

/** How a kind is composed: by its definition, or, where none is given but a Composition is for it, by what the object looks like. */
export function compositeKindOf(draft: Draft, object: KubeObject): CompositeKind | undefined {
  const kind: GroupKind = gvkOf(object)
  const defined = draft.known.kinds.composite(kind)
  if (defined !== undefined) return { type: defined.type, settings: settingsOf(defined.definition) }
  if (!draft.known.list(compositionKind).some((composition) => isFor(composition, kind))) return undefined
  const type = specOf(object)['application'] !== undefined || object.metadata.namespace !== undefined ? APPLICATION : INFRASTRUCTURE
  draft.notes.add(`nothing defines ${formatGroupKind(kind)}: it is taken to be defined by an ${type.name}Definition without defaults`)
  return { type, settings: NO_SETTINGS }
}

const NO_SETTINGS: CompositeSettings = {
  definition: '',
  forceComposition: undefined,
  defaultComposition: undefined,
  connectionDetails: undefined,
  account: undefined,
}

export interface Composite {
  readonly composite: KubeObject
  readonly members: readonly Member[]
  readonly composition: string
}

/** C17 to C20: the composite with its Composition and the names of its members, before any of them is made (X2). */
export async function nameMembers(draft: Draft, given: KubeObject, { type, settings }: CompositeKind): Promise<Composite | undefined> {
  const composition = selectComposition(draft, given, { type, settings })
  if (composition === undefined) {
    draft.notes.add(
      `${nameOf(given)}: no Composition is selected, so nothing is created: set compositionRef or compositionSelector in spec.${type.field}`,
    )
    return undefined
  }
  const name = composition.metadata.name ?? ''
  const source = templatesFor(composition, given)
  mustKeepContract(source, type, settings, name)
  const repeated = `${formatGroupKind(gvkOf(given))} ${name}`
  if (draft.ancestors.includes(repeated)) throw new RenderError(`${nameOf(given)}: Composition ${name} composes itself endlessly`)
  for (const template of source.templates) {
    const { group, kind } = gvkOf(template.base)
    const crd = draft.known.kinds.find({ group, kind })
    if (crd === undefined) continue
    const found = { group, kind, namespaced: crd.spec.scope === 'Namespaced', nature: natureOf(crd) }
    mustBeInScope(given, { type, account: settings.account !== undefined }, template, found)
  }
  const prefix = composedNamePrefix(given.metadata.name ?? '')
  const { members, refs, changed } = await planMembers(source.templates, composedRefsOf(given, type), (template) =>
    placeholderName(prefix, `${template.base.kind} ${template.identity}`),
  )
  return {
    composite: withMembers(given, type, { composition: name, source, settings, ...(changed && { refs }) }),
    members,
    composition: name,
  }
}

/** Renders the members, and what they are intents for. Answers the composite with what patches write back to it from observed members. */
export async function composeMembers(
  draft: Draft,
  { composite: named, members, composition }: Composite,
  { type, settings }: CompositeKind,
  renderNested: RenderNested,
): Promise<KubeObject> {
  const inner: Draft = { ...draft, ancestors: [...draft.ancestors, `${formatGroupKind(gvkOf(named))} ${composition}`] }
  const owner = `Composition/${composition}`
  let composite = named
  for (const member of members) {
    const { object, written, skipped, dropped } = renderMember(type, named, member, settings.account === undefined)
    const added = addObject(draft, object, {
      base: { object: member.template.base, from: `${owner} ${member.template.origin}.base` },
      written,
      owner,
      machinery: machineryOrigins({ labels: compositeLabels(named.metadata.name ?? '', requirementOf(object)), annotations: TEMPLATE }),
    })
    noteSkipped(draft, object, skipped, owner)
    for (const path of dropped)
      draft.notes.add(`${object.kind}/${object.metadata.name ?? ''}: ${path} cannot be set by a patch, and is not`)
    composite = patchBack(draft, composite, member, object)
    await renderNested(inner, added)
  }
  return composite
}

const TEMPLATE = { [RESOURCE_NAME]: '' }

/** The labels are there when the composite is bound; asking the object is enough. */
function requirementOf({ metadata }: KubeObject): { namespace: string; name: string } | undefined {
  const labels = metadata.labels ?? {}
  const name = labels['crossplane.io/requirement-name']
  return name === undefined ? undefined : { namespace: labels['crossplane.io/requirement-namespace'] ?? '', name }
}

function patchBack(draft: Draft, composite: KubeObject, { template }: Member, { apiVersion, kind, metadata }: KubeObject): KubeObject {
  const observed = draft.known.observed({ group: parseGroupVersion(apiVersion).group, kind }, metadata.name, metadata.namespace)
  if (observed === undefined) return composite
  const result = applyPatches(template.patches, 'composite', { composed: observed }, composite)
  if (!result.ok) throw new RenderError(`${nameOf(composite)}: ${result.error.message}`)
  return result.value.object
}

/** C18. Where a server would choose at random, the first by name stands for all. */
function selectComposition(draft: Draft, composite: KubeObject, { type, settings }: CompositeKind): KubeObject | undefined {
  const choice = choiceOf(composite, type, settings)
  const all = draft.known.list(compositionKind)
  if (choice.type === 'none') {
    // Whoever gives one Composition for this kind means that one.
    const [only, other] = controllerOf(composite) === undefined ? all.filter((each) => isFor(each, gvkOf(composite))) : []
    if (only === undefined || other !== undefined) return undefined
    draft.notes.add(`${nameOf(composite)} selects no Composition: rendered with the only one that is given, ${only.metadata.name ?? ''}`)
    return only
  }
  if (choice.type === 'named') {
    const found = all.find(({ metadata }) => metadata.name === choice.name)
    if (found !== undefined) return found
    throw new RenderError(`${nameOf(composite)}: there is no Composition ${choice.name} among the files: add the file that has it`)
  }
  const candidates = labelledCompositions(all, choice.labels, composite)
  if (candidates.length > 1)
    draft.notes.add(
      `${nameOf(composite)} may be composed by any of ${candidates.map(({ metadata }) => metadata.name ?? '').join(', ')}: a server picks one at random, this is ${candidates[0]?.metadata.name ?? ''}`,
    )
  if (candidates[0] === undefined) throw noComposition(composite, choice.labels)
  return candidates[0]
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`
