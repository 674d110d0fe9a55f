import { deepEqual, forbidden, formatGroupKind, type GroupVersionKind, gvkOf, type KubeObject, type StatusError } from '@weft/api'
import type { ServedKinds } from '@weft/apiserver'
import { type CompositeDefinition, isPipeline, readRow, serviceAccountOf, type Usage, USAGE_KINDS } from '@weft/controllers'
import { parseTemplateSource } from '@weft/composition'
import { type AdmissionSubject, isWrite } from '../admission/admission-subject.ts'
import { compositeDefinitionOf } from './composite-definition-of.ts'
import type { Author, Authority } from './authority.ts'

interface Account {
  readonly namespace: string
  readonly name: string
}

/** What somebody has Weft do by writing an object: make things of these kinds, or act as this account. */
interface Delegation {
  readonly makes: readonly GroupVersionKind[]
  /** The account that members are made as; whoever may act as it may also have it make something. */
  readonly as?: Account | undefined
  readonly actsAs?: Account | undefined
  /** Whatever functions say. */
  readonly anything?: boolean
  /** What is done to objects that exist; in no namespace where it is ''. */
  readonly touches?: readonly Touch[]
}

interface Touch {
  readonly kind: GroupVersionKind
  readonly namespace: string
  readonly verb: 'update' | 'delete'
  /** What Weft would do there for the author. */
  readonly what: string
}

const NOTHING: Delegation = { makes: [] }

/**
 * Nobody has made for them what they could not make themselves. Whoever writes a class, a binding row or a Composition must be allowed to `create` what it
 * makes, or hold the verb `compose` on it; whoever has a definition compose as a service account must be allowed to `impersonate` that account.
 * The verb `escalate` on the kind that is written lifts this, as it does for roles. Answers the refusal. What does not change is not asked again:
 * labels, finalizers and status may be written by those who keep house.
 */
export async function lacksRights(
  author: Author,
  subject: AdmissionSubject & { readonly resource: string },
  { kinds, authority }: { readonly kinds: ServedKinds; readonly authority: Authority },
): Promise<StatusError | undefined> {
  const { object, oldObject, group, resource } = subject
  if (object === undefined || !isWrite(subject)) return undefined
  if (oldObject !== undefined && deepEqual(object['spec'], oldObject['spec'])) return undefined
  const { makes, as, actsAs, anything, touches = [] } = delegationOf(object, subject, kinds)
  if (makes.length === 0 && actsAs === undefined && anything !== true && touches.length === 0) return undefined
  const name = object.metadata.name ?? ''
  if (await authority.allows(author, { verb: 'escalate', group, resource, name })) return undefined
  const refuse = (why: string): StatusError => forbidden({ group, resource, name }, why)
  // Weft itself may act as any account, so as to compose as those that operators name. A package that it installs must not borrow that.
  const mayActAs = async (account: Account): Promise<boolean> =>
    (await authority.isWeft?.(author)) !== true &&
    authority.allows(author, { verb: 'impersonate', group: '', resource: 'serviceaccounts', ...account })
  if (actsAs !== undefined && !(await mayActAs(actsAs)))
    return refuse(
      `user "${author.username}" may not have members created as service account ${actsAs.namespace}/${actsAs.name}: that requires the verb impersonate on it`,
    )
  // What functions make is known when they are asked: a patch may change even the kind.
  if (anything === true && (await authority.isWeft?.(author)) !== true)
    return (await authority.allows(author, { verb: 'create', group: '*', resource: '*' }))
      ? undefined
      : refuse(
          `user "${author.username}" may not have functions create whatever they return: a pipeline requires the verb escalate on ${resource}.${group}, or create on everything in the whole cluster`,
        )
  for (const { kind, namespace, verb, what } of touches) {
    const plural = (await authority.resourceOf(kind)) ?? '*'
    if (await authority.allows(author, { verb, group: kind.group, resource: plural, namespace: namespace || undefined })) continue
    const where = namespace === '' ? 'in the whole cluster' : `in namespace "${namespace}"`
    return refuse(
      `user "${author.username}" may not have ${formatGroupKind(kind)} ${what}: that requires the verb ${verb} on ${plural}${kind.group === '' ? '' : `.${kind.group}`} ${where}`,
    )
  }
  if (as !== undefined && (await mayActAs(as))) return undefined
  for (const kind of distinct(makes)) {
    const made = await authority.resourceOf(kind)
    // One that is still to come: when it does, it is made only if it is managed or composed.
    if (made === undefined) continue
    const on = { group: kind.group, resource: made }
    if ((await authority.allows(author, { verb: 'create', ...on })) || (await authority.allows(author, { verb: 'compose', ...on })))
      continue
    return refuse(
      `user "${author.username}" may not have a ${formatGroupKind(kind)} created for others: that requires the verb create, or compose, on ${made}${kind.group === '' ? '' : `.${kind.group}`} in the whole cluster`,
    )
  }
  return undefined
}

/** May they have functions asked whatever a pipeline of their own would ask? As `lacksRights` says of those who write one. */
export const mayWritePipelines = async (authority: Authority, author: Author): Promise<boolean> =>
  (await authority.allows(author, { verb: 'escalate', group: 'apiextensions.crossplane.io', resource: 'compositions' })) ||
  (await authority.allows(author, { verb: 'create', group: '*', resource: '*' }))

/** Kinds by which somebody has Weft make something. */
export const DELEGATING: ReadonlySet<string> = new Set([
  'ResourceClass.infrastructure.crossplane.io',
  'CompositeResourceClass.infrastructure.crossplane.io',
  'ResourceBindingDefinition.weft.dev',
  'Composition.apiextensions.crossplane.io',
  'CompositionRevision.apiextensions.crossplane.io',
  'ApplicationDefinition.apiextensions.crossplane.io',
  'InfrastructureDefinition.apiextensions.crossplane.io',
  ...USAGE_KINDS.map(formatGroupKind),
  'Operation.ops.crossplane.io',
  'CronOperation.ops.crossplane.io',
  'WatchOperation.ops.crossplane.io',
])

function delegationOf(object: KubeObject, { group, kind }: AdmissionSubject, kinds: ServedKinds): Delegation {
  switch (`${kind}.${group}`) {
    case 'ResourceClass.infrastructure.crossplane.io':
    case 'CompositeResourceClass.infrastructure.crossplane.io':
      return { makes: basesOf(object) }
    case 'ResourceBindingDefinition.weft.dev': {
      const row = readRow(object)
      return 'managed' in row ? { makes: [row.managed] } : NOTHING
    }
    case 'Composition.apiextensions.crossplane.io': {
      if (isPipeline(object)) return { makes: [], anything: true }
      const source = parseTemplateSource(object)
      const intent = source.ok ? source.value.intent : undefined
      const definition = intent && compositeDefinitionOf(kinds, gvkOf(intent))
      return { makes: basesOf(object), as: definition && accountOf(definition) }
    }
    case 'ApplicationDefinition.apiextensions.crossplane.io':
    case 'InfrastructureDefinition.apiextensions.crossplane.io':
      return { makes: [], actsAs: accountOf(object) }
    // A composite that names its revision is composed by it, whoever wrote it.
    case 'CompositionRevision.apiextensions.crossplane.io':
    case 'Operation.ops.crossplane.io':
    case 'CronOperation.ops.crossplane.io':
    case 'WatchOperation.ops.crossplane.io':
      return { makes: [], anything: true }
    case 'Usage.protection.crossplane.io':
    case 'ClusterUsage.protection.crossplane.io':
    case 'Usage.apiextensions.crossplane.io':
      return { makes: [], touches: touchesOf(object as Usage) }
    default:
      return NOTHING
  }
}

/**
 * A usage has Weft mark an object, and refuse to others what they may do: in its own namespace that is its author's business, elsewhere it takes rights there.
 * One that makes up for deletions has Weft delete, whoever left the word that somebody tried.
 */
function touchesOf(usage: Usage): readonly Touch[] {
  const { of, replayDeletion } = usage.spec
  const kind = gvkOf({ apiVersion: of.apiVersion ?? '', kind: of.kind ?? '' })
  const home = usage.metadata.namespace ?? ''
  const places = [...new Set([of.resourceRef?.namespace ?? home, of.resourceSelector?.namespace ?? home])]
  return [
    ...places
      .filter((place) => place !== home)
      .map((namespace): Touch => ({ kind, namespace, verb: 'update', what: 'protected elsewhere' })),
    ...(replayDeletion === true
      ? places.map((namespace): Touch => ({ kind, namespace, verb: 'delete', what: 'deleted when it is no longer in use' }))
      : []),
  ]
}

function basesOf(object: KubeObject): readonly GroupVersionKind[] {
  const source = parseTemplateSource(object)
  return source.ok ? source.value.templates.map(({ base }) => gvkOf(base)) : []
}

const accountOf = (definition: KubeObject): Account | undefined => serviceAccountOf(definition as CompositeDefinition)

const distinct = (kinds: readonly GroupVersionKind[]): readonly GroupVersionKind[] => [
  ...new Map(kinds.map((kind) => [`${kind.version} ${formatGroupKind(kind)}`, kind])).values(),
]
