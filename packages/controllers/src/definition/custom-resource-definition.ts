import { deepEqual, findCondition, hasReason, type KubeObject, messageOf, withMeta } from '@weft/api'
import {
  type Client,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type InformerReader,
  type WriteCallOptions,
} from '@weft/client'
import { conditionsOf, controllerOf } from '@weft/composition'
import { describe } from '../binding/claimant.ts'
import { controllerReference } from '../connection/control.ts'
import { type DefinedKind, DefinitionError } from './definition.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The metadata of a definition's CustomResourceDefinition: its labels and annotations, and its control over it. */
export function renderMetadata(definition: KubeObject, name: string): CustomResourceDefinition['metadata'] {
  const { labels, annotations } = definition.metadata
  const copied = Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED))
  return {
    name,
    ...(labels && { labels }),
    ...(Object.keys(copied).length > 0 && { annotations: copied }),
    ownerReferences: [controllerReference(definition)],
  }
}

/** What was done to bring it about. */
export interface Ensured {
  readonly crd: CustomResourceDefinition
  readonly change: 'created' | 'updated' | 'none'
}

/** On a CustomResourceDefinition, "true": whoever owns it lets a definition of Weft's take it over. */
const MAY_BE_ADOPTED = 'weft.dev/may-be-adopted'

/**
 * Makes the CustomResourceDefinition what is wanted. One that another object controls is refused, and so is one that nobody controls (B1):
 * both would take a kind away from its users, who may never have heard of Weft.
 */
export async function ensureDefinition(
  client: Client,
  cache: InformerReader<CustomResourceDefinition>,
  wanted: CustomResourceDefinition,
  options: WriteCallOptions = {},
): Promise<Ensured> {
  const name = wanted.metadata.name ?? ''
  const existing = cache.get({ name })
  if (existing !== undefined) return update(client, existing, wanted, options)
  try {
    return { crd: await client.create(wanted, options), change: 'created' }
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw rejected(error)
    return update(client, await client.get(customResourceDefinitionKind, { name }), wanted, options)
  }
}

async function update(
  client: Client,
  existing: CustomResourceDefinition,
  wanted: CustomResourceDefinition,
  options: WriteCallOptions,
): Promise<Ensured> {
  mustBeOurs(existing, wanted)
  const next = merged(existing, wanted)
  if (deepEqual(next.spec, existing.spec) && deepEqual(next.metadata, existing.metadata)) return { crd: existing, change: 'none' }
  try {
    const crd = await client.update(next, options)
    // What the server fills in makes the comparison differ for ever; a write that changes nothing is no news.
    return { crd, change: crd.metadata.resourceVersion === existing.metadata.resourceVersion ? 'none' : 'updated' }
  } catch (error) {
    throw rejected(error)
  }
}

function mustBeOurs(existing: CustomResourceDefinition, wanted: CustomResourceDefinition): void {
  const name = existing.metadata.name ?? ''
  const controller = controllerOf(existing)
  const own = controllerOf(wanted)
  if (controller !== undefined && controller.uid !== own?.uid)
    throw new DefinitionError(
      'Owned',
      `CustomResourceDefinition ${name} is controlled by ${describe(controller)}: one kind cannot be defined twice`,
    )
  if (existing.metadata.deletionTimestamp !== undefined)
    throw new DefinitionError('Terminating', `CustomResourceDefinition ${name} is being deleted; it is created again once it is gone`)
  if (controller !== undefined) return
  const differs =
    existing.spec.scope !== wanted.spec.scope ? 'scope' : existing.spec.names.kind !== wanted.spec.names.kind ? 'kind' : undefined
  if (differs !== undefined)
    throw new DefinitionError(
      'Owned',
      `CustomResourceDefinition ${name} exists already, with another ${differs}, and this definition does not control it: delete it first, or define another kind`,
    )
  if (existing.metadata.annotations?.[MAY_BE_ADOPTED] === 'true') return
  throw new DefinitionError(
    'Owned',
    `CustomResourceDefinition ${name} exists already, and is not Weft's: delete it first, or annotate it with ${MAY_BE_ADOPTED}=true to let this definition control it`,
  )
}

function merged(existing: CustomResourceDefinition, wanted: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata } = existing
  const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== controllerOf(wanted)?.uid)
  const next = withMeta(existing, {
    ...(wanted.metadata.labels && { labels: { ...metadata.labels, ...wanted.metadata.labels } }),
    ...(wanted.metadata.annotations && { annotations: { ...metadata.annotations, ...wanted.metadata.annotations } }),
    ownerReferences: [...others, ...(wanted.metadata.ownerReferences ?? [])],
  })
  return { ...next, spec: { ...existing.spec, ...wanted.spec, names: { ...existing.spec.names, ...wanted.spec.names } } }
}

/** What the server refuses, it refuses until the definition changes. */
const rejected = (error: unknown): unknown =>
  hasReason(error, 'Invalid') || hasReason(error, 'BadRequest')
    ? new DefinitionError('Rejected', messageOf(error), { cause: error })
    : error

/** Is it served? When not, why. */
export function establishment(crd: CustomResourceDefinition): { readonly established: boolean; readonly message: string } {
  const conditions = conditionsOf(crd)
  if (findCondition(conditions, 'Established')?.status === 'True') return { established: true, message: '' }
  const names = findCondition(conditions, 'NamesAccepted')
  const conflict = names?.status === 'False' ? (names.message ?? names.reason) : undefined
  return { established: false, message: conflict ?? 'the CustomResourceDefinition is not established yet' }
}

/** The CustomResourceDefinition that `definition` controls, if any. */
export function definedBy(
  cache: InformerReader<CustomResourceDefinition>,
  definition: KubeObject,
  name?: string,
): CustomResourceDefinition | undefined {
  const own = (crd: CustomResourceDefinition | undefined): boolean =>
    crd !== undefined && controllerOf(crd)?.uid === definition.metadata.uid
  if (name !== undefined) {
    const named = cache.get({ name })
    return own(named) ? named : undefined
  }
  // Nearly always named alike; a requirement's is not.
  const namesake = cache.get({ name: definition.metadata.name ?? '' })
  return own(namesake) ? namesake : cache.list().find(own)
}

export function definedKind(crd: CustomResourceDefinition): DefinedKind {
  const { group, names, scope, versions } = crd.spec
  const version = versions.find(({ storage, served }) => storage && served) ?? versions.find(({ served }) => served) ?? versions[0]
  return { group, version: version?.name ?? '', kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' }
}
