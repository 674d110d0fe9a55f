import { formatGroupKind, formatGroupVersion, type GroupKind, gvkOf, type KubeObject, specOf } from '@weft/api'
import { claimLabels, intentNamePrefix, requestedExternalName } from '@weft/composition'
import {
  AGGREGATES,
  candidatesOf,
  COMPOSITES,
  explainUndecided,
  flexibleTemplates,
  type GroupKindAdapter,
  kindOfRef,
  ledgerOf,
  isEntryOf,
  memberObject,
  type MemberTemplate,
  type Provisioned,
  referenceTo,
  resourceFor,
  type Route,
  routeOf,
  specRef,
  typedTemplate,
  withSpec,
  wishOf,
} from '@weft/controllers'
import { addObject, noteSkipped } from './add-object.ts'
import { externalNameOrigin, machineryOrigins } from './machinery-origins.ts'
import { placeholderName } from './placeholders.ts'
import { type Draft, RenderError } from './rendering.ts'

/** What a claim gets: one managed resource, or a group and its members. Answers the claim as it would be written back. */
export function renderClaim(draft: Draft, given: KubeObject): KubeObject {
  const claim = decide(draft, given)
  if (specRef(claim, 'classRef') === undefined) return claim
  const { group, kind } = gvkOf(claim)
  const route = routeOf(claim, draft.known.table({ group, kind }))
  switch (route.binder) {
    case 'none':
      throw new RenderError(`${nameOf(claim)}: ${route.why}`)
    case 'aggregate':
      return renderGroup(draft, claim, AGGREGATES)
    case 'composite':
      return renderGroup(draft, claim, COMPOSITES)
    default:
      return renderDirect(draft, claim, route)
  }
}

/** S4: the claim with its class. Where a server would choose at random, the first by kind and name stands for all. */
function decide(draft: Draft, claim: KubeObject): KubeObject {
  const wish = wishOf(claim)
  const kind: GroupKind = gvkOf(claim)
  if (wish.type === 'class') return claim
  if (wish.type === 'resource') {
    if (specRef(claim, 'classRef') === undefined)
      draft.notes.add(`${nameOf(claim)} names a resource itself (spec.resourceRef): it is bound to that, and nothing is created`)
    return claim
  }
  const classes = draft.known.classes(kind)
  const candidates = draft.known
    .table(kind)
    .tuples.filter((tuple) => tuple.claim.group === kind.group && tuple.claim.kind === kind.kind)
    .flatMap((tuple) => candidatesOf(classes, tuple, wish) ?? [])
    .toSorted((a, b) => (label(a) < label(b) ? -1 : 1))
  const [chosen] = candidates
  if (chosen === undefined) throw new RenderError(`${nameOf(claim)}: ${explainUndecided(classes, claim) ?? 'no class can satisfy it'}`)
  if (candidates.length > 1)
    draft.notes.add(
      `${nameOf(claim)} may be satisfied from any of ${candidates.map(label).join(', ')}: a server picks one at random, this is ${label(chosen)}`,
    )
  return withSpec(claim, { classRef: referenceTo(chosen) })
}

function classOf(draft: Draft, claim: KubeObject): KubeObject {
  const ref = specRef(claim, 'classRef')
  const kind = kindOfRef(ref)
  const found = kind && draft.known.find(kind, ref?.name)
  if (found !== undefined) return found
  throw new RenderError(
    `${nameOf(claim)}: there is no ${kind === undefined ? 'class' : formatGroupKind(kind)} ${ref?.name ?? ''} among the files: add the file that has it`,
  )
}

function renderDirect(draft: Draft, claim: KubeObject, { source }: Extract<Route, { binder: 'direct' }>): KubeObject {
  const classObject = classOf(draft, claim)
  const member = source.type === 'row' ? typedTemplate(claim, classObject, source.row) : flexibleTemplates(claim, classObject)[0]
  if (member === undefined) throw new RenderError(`${label(classObject)} makes nothing`)
  const name = specRef(claim, 'resourceRef')?.name ?? placeholderName(intentNamePrefix(claim), 'resource')
  const { apiVersion, kind } = member.template.base
  const named = withSpec(claim, { resourceRef: { apiVersion, kind, name, ...uidOf(specRef(claim, 'resourceRef')) } })
  addMember(draft, { claim: named, member, made: resourceFor(named, member, name), fields: BOUND, rows: rowName(source) })
  return named
}

const uidOf = (ref: { readonly uid?: string } | undefined): { uid?: string } => (ref?.uid === undefined ? {} : { uid: ref.uid })
const rowName = (source: Extract<Route, { binder: 'direct' }>['source']): string | undefined =>
  source.type === 'row' ? `ResourceBindingDefinition/${source.row.source}` : undefined

const BOUND: Readonly<Record<string, string>> = {
  'spec.claimRef': 'Weft: the claim it is bound to',
  'spec.classRef': 'Weft: the class it is created from',
  'spec.aggregateRef': 'Weft: the group it belongs to',
  'spec.compositeRef': 'Weft: the group it belongs to',
}

/** A6, F10: a group, bound at once, and one member for each template. */
function renderGroup(draft: Draft, claim: KubeObject, adapter: GroupKindAdapter): KubeObject {
  const classObject = classOf(draft, claim)
  const members = adapter.templates(draft.known.classes(gvkOf(claim)), claim, classObject)
  if (members === undefined) {
    draft.notes.add(`${nameOf(claim)}: ${label(classObject)} includes no class that could satisfy a ${claim.kind}, so nothing is created`)
    return claim
  }
  const name = specRef(claim, 'resourceRef')?.name ?? placeholderName(intentNamePrefix(claim), 'group')
  const { gvk } = adapter
  const named = withSpec(claim, {
    resourceRef: { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, name, ...uidOf(specRef(claim, 'resourceRef')) },
  })
  const observed = draft.known.observed(gvk, name)
  const group = addObject(draft, withUid(adapter.create(named, classObject, name), observed), {
    machinery: machineryOrigins({ fields: { spec: 'Weft: the group of the claim', 'metadata.annotations': 'Weft: what may bind it' } }),
  })
  const entries = observed === undefined ? [] : ledgerOf(observed, adapter)
  for (const member of members) {
    const known = entries.find((entry) => isEntryOf(entry, member, adapter))
    const own = known?.name ?? placeholderName(intentNamePrefix(claim), member.template.identity)
    const made = memberObject(member, { claim: named, group, name: own, adapter })
    addMember(draft, { claim: named, member, made, fields: BOUND, rows: 'the binding table' })
  }
  return named
}

const withUid = (object: KubeObject, observed: KubeObject | undefined): KubeObject =>
  observed?.metadata.uid === undefined ? object : { ...object, metadata: { ...object.metadata, uid: observed.metadata.uid } }

interface MadeMember {
  readonly claim: KubeObject
  readonly member: MemberTemplate
  readonly made: Provisioned
  readonly fields: Readonly<Record<string, string>>
  /** Where mappings of fields stand. */
  readonly rows: string | undefined
}

function addMember(draft: Draft, { claim, member, made, fields, rows }: MadeMember): void {
  const { template, classObject, externalName } = member
  const owner = label(classObject)
  const patches = made.written.some(({ patch }) => patch.origin.startsWith('spec.fieldMappings')) ? (rows ?? owner) : owner
  const from = externalName === undefined || writesExternalName(made) ? {} : externalNameOrigin(claim)
  addObject(draft, made.object, {
    base: {
      object: template.base,
      from: `${owner} ${template.origin}${template.origin.includes('Template') || template.origin === 'spec' ? '' : '.base'}`,
    },
    written: made.written,
    owner: patches,
    machinery: machineryOrigins({
      labels: claimLabels(claim),
      fields: { ...fields, ...(requestedExternalName(claim) === undefined ? {} : from), ...policyOrigin(member), ...secretOrigin(member) },
    }),
  })
  for (const sentence of made.overruled) draft.notes.add(`${made.object.kind}/${made.object.metadata.name ?? ''}: ${sentence}`)
  noteSkipped(
    draft,
    made.object,
    made.skipped.filter(({ patch }) => !patch.origin.startsWith('spec.fieldMappings')),
    owner,
  )
}

const writesExternalName = ({ written }: Provisioned): boolean => written.some(({ path }) => path.includes('crossplane.io/external-name]'))

const policyOrigin = ({ template }: MemberTemplate): Readonly<Record<string, string>> => {
  return specOf(template.base)['reclaimPolicy'] === undefined
    ? { 'spec.reclaimPolicy': 'Weft: Delete, unless the class says otherwise' }
    : {}
}

/** B32: the class says where, Weft says under which name. */
const secretOrigin = (_member: MemberTemplate): Readonly<Record<string, string>> => ({
  'spec.writeConnectionSecretToRef.name': 'Weft: a name that nothing else uses, unless the class gives one',
})

const label = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name ?? ''}`
const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`
