import { formatGroupKind, gvkOf, hasReason, inTurn, type KubeObject, messageOf, StatusError } from '@weft/api'
import { type Client, customResourceDefinitionKind, isOfKind, type Kind, NoMatchError } from '@weft/client'
import { controllerOf } from '@weft/composition'
import type { Package } from '@weft/xpkg'
import { describe } from '../binding/claimant.ts'
import { controllerReference } from '../connection/control.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { DefinitionError } from '../definition/definition.ts'
import { instancesOf } from '../definition/drain.ts'
import { keepVersions } from '../definition/keep-versions.ts'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import {
  type ObjectReference,
  PACKAGE_FIELD_MANAGER,
  PACKAGE_LABEL,
  PACKAGE_TYPE_LABEL,
  type PackageObject,
  type RevisionObject,
} from './kinds.ts'
import { PackageRefusal } from './package-refusal.ts'
import { keepActive, owned, renderObjects } from './render-objects.ts'
import { resultingKind, tryKind } from './resulting-kinds.ts'
import { pointWebhooks, type WebhookTarget } from './webhooks.ts'
import { described, type Written, writtenOf } from './written.ts'

/** Objects worked on at a time. In this process many writes share one commit, so that the more there are the fewer waits there are. */
const AT_ONCE = 8
const AT_ONCE_HERE = 64
/** Problems that a message tells of. */
const NAMED = 3

export interface Establishment {
  readonly client: Client
  readonly parent: PackageObject
  readonly revision: RevisionObject
  readonly contents: Package
  /**
   * It came with the control plane: objects that nobody owns are taken over, and nothing is tried by a dry run, which would only make every start
   * slower.
   */
  readonly bundled?: boolean | undefined
  /** Where its webhooks are asked, if not where it says itself. */
  readonly webhooks?: WebhookTarget | undefined
  /** It was made by this control plane, of something that it has checked: nothing of it need be tried by a dry run. */
  readonly generated?: boolean | undefined
}

/**
 * Puts a revision into effect: everything it holds exists, as it says, and is controlled by it. All or nothing as far as a server allows:
 * every object is checked for its owner and tried by a dry run, and so is every kind that it leads to, before the first one is written. Throws a PackageRefusal with every reason,
 * and then nothing was written. Safe to run again, also after a crash in the middle.
 *
 * Control passes from one revision to the next in the write that updates the object. What a newer revision no longer holds stays, owned by
 * the package: an upgrade never deletes.
 */
export async function establish(establishment: Establishment): Promise<Established> {
  const { client, parent, revision, contents, webhooks } = establishment
  const ownership = {
    packageName: parent.metadata.name ?? '',
    type: contents.type,
    owners: [controllerReference(revision), { ...controllerReference(parent), controller: false }],
    labels: revision.spec.commonLabels,
    annotations: revision.spec.commonAnnotations,
  }
  const carried = renderObjects(contents)
  const rendered = webhooks === undefined ? carried : pointWebhooks(carried, ownership.packageName, webhooks)
  const coming = kindsIn(rendered)
  const wanted = rendered.map((object) => owned(object, ownership))
  const atOnce = client.transport.local === true ? AT_ONCE_HERE : AT_ONCE
  const checked = await inTurn(wanted, atOnce, (object) => check(object, establishment, coming))
  const problems = checked.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  const [first] = problems
  if (first !== undefined) throw refusalOf(first, problems)
  const options = { fieldManager: PACKAGE_FIELD_MANAGER, force: true }
  const refs: ObjectReference[] = []
  const written = new Map<string, Written>()
  for (const object of await inTurn(checked, atOnce, ({ object }) => client.apply(object, options))) {
    const { apiVersion, kind, metadata } = object
    refs.push({ apiVersion, kind, name: metadata.name ?? '', ...(metadata.uid !== undefined && { uid: metadata.uid }) })
    written.set(described(object), writtenOf(object))
  }
  return { refs, written }
}

/** What was written. */
export interface Established {
  readonly refs: readonly ObjectReference[]
  /** By `Kind name`. */
  readonly written: ReadonlyMap<string, Written>
}

interface Checked {
  readonly object: KubeObject
  readonly problem?: PackageRefusal
}

async function check(wanted: KubeObject, establishment: Establishment, coming: ReadonlySet<string>): Promise<Checked> {
  const { client } = establishment
  const kind: Kind = gvkOf(wanted)
  const { name = '', namespace } = wanted.metadata
  try {
    const live = await client.find(kind, { name, namespace })
    const object = keepActive(wanted, live)
    const resulting = resultingKind(object)
    const problem = ownedByAnother(live ?? (await kindInTheWay(wanted, resulting, client)), establishment)
    if (problem !== undefined) return { object: wanted, problem }
    if (establishment.generated === true) return { object: await keepServed(object, live, client) }
    if (establishment.bundled === true) return { object }
    await client.apply(object, { fieldManager: PACKAGE_FIELD_MANAGER, force: true, dryRun: true })
    if (resulting !== undefined) await tryKind(client, resulting)
    return { object }
  } catch (error) {
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) {
      // Its kind is in this very package: it cannot be tried before that is there.
      if (coming.has(formatGroupKind(kind))) return { object: wanted }
      return { object: wanted, problem: new PackageRefusal('ObjectRefused', unserved(wanted), { retry: true, cause: error }) }
    }
    const isRefused = error instanceof DefinitionError || (error instanceof StatusError && error.code < 500 && error.code !== 429)
    // Somebody changed it in the same moment: worth another look.
    if (!isRefused || hasReason(error, 'Conflict')) throw error
    const message = `${wanted.kind} ${name} is refused: ${messageOf(error)}`
    return { object: wanted, problem: new PackageRefusal('ObjectRefused', message, { cause: error }) }
  }
}

/** A kind that was made of another version of the same provider: its objects lose nothing by the new schema. */
async function keepServed(wanted: KubeObject, live: KubeObject | undefined, client: Client): Promise<KubeObject> {
  if (live === undefined || !isOfKind(customResourceDefinitionKind, wanted) || !isOfKind(customResourceDefinitionKind, live)) return wanted
  const versions = await keepVersions(wanted.spec.versions, live.spec.versions, () => instancesOf(client, definedKind(live)))
  return { ...wanted, spec: { ...wanted.spec, versions } }
}

/** A kind that is to come, but that somebody has defined otherwise. */
async function kindInTheWay(wanted: KubeObject, resulting: KubeObject | undefined, client: Client): Promise<KubeObject | undefined> {
  const name = wanted.kind === managedResourceDefinitionKind.kind ? wanted.metadata.name : resulting?.metadata.name
  return name === undefined ? undefined : client.find(customResourceDefinitionKind, { name })
}

const unserved = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.name ?? ''} cannot be created: kind ${kind} of ${apiVersion} is not served here, and no package that defines it is installed`

/** B1: one thing is defined once. What another package, or a person, made is not taken over. */
function ownedByAnother(live: KubeObject | undefined, { parent, contents, bundled = false }: Establishment): PackageRefusal | undefined {
  if (live === undefined) return undefined
  const what = `${live.kind} ${live.metadata.name ?? ''}`
  const refuse = (why: string): PackageRefusal => new PackageRefusal('OwnedByAnother', `${what} ${why}`)
  if (live.metadata.deletionTimestamp !== undefined)
    return new PackageRefusal('OwnedByAnother', `${what} is being deleted; it is created again once it is gone`, { retry: true })
  const owners = live.metadata.ownerReferences ?? []
  if (owners.some(({ uid }) => uid === parent.metadata.uid)) return undefined
  const { [PACKAGE_LABEL]: name, [PACKAGE_TYPE_LABEL]: type } = live.metadata.labels ?? {}
  const holder = controllerOf(live) ?? owners[0]
  if (holder !== undefined) {
    // The package before this one, of the same name: its garbage is still being collected.
    if (name === parent.metadata.name && type === contents.type)
      return new PackageRefusal('OwnedByAnother', `${what} belongs to an earlier ${describeOf(type, name)}; it is being removed`, {
        retry: true,
      })
    const owner = name === undefined ? describe(holder) : describeOf(type, name)
    return refuse(`belongs to ${owner}: a kind or object cannot be installed by two packages; uninstall one of them`)
  }
  if (bundled || (name === parent.metadata.name && type === contents.type)) return undefined
  return refuse('exists already and belongs to no package: delete it first if the package should install its own')
}

const describeOf = (type: string | undefined, name: string | undefined): string => `${type ?? 'package'} ${name ?? ''}`

/** Kinds that the package itself defines. */
function kindsIn(objects: readonly KubeObject[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { kind, ...object } of objects) {
    const { group, names, crdSpecTemplate } = (object['spec'] ?? {}) as {
      group?: string
      names?: { kind?: string }
      crdSpecTemplate?: { group?: string; names?: { kind?: string } }
    }
    const defined = crdSpecTemplate ?? { group, names }
    if (/Definition$/.test(kind) && defined.names?.kind !== undefined)
      found.add(formatGroupKind({ group: defined.group ?? '', kind: defined.names.kind }))
  }
  return found
}

function refusalOf(first: PackageRefusal, problems: readonly PackageRefusal[]): PackageRefusal {
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : ''
  const messages = problems.slice(0, NAMED).map(({ message }) => message)
  return new PackageRefusal(first.code, `${messages.join('; ')}${more}; nothing of the package was installed`, {
    retry: problems.every(({ retry }) => retry),
  })
}
