import { alreadyExists, failure, forbidden, formatTime, generateName, type KubeObject, tooManyRequests, withMeta } from '@weft/api'
import { ConflictError } from '../storage/index.ts'
import { storageKey } from './catalog.ts'
import { CRD_GROUP, CRD_PLURAL } from './custom.ts'
import { track } from './field-tracking.ts'
import { longWork } from './long-work.ts'
import type { ResourceType } from './resource-type.ts'
import type { RegistryServices, WriteContext } from './services.ts'
import { StoredObject } from './stored-object.ts'
import { assertValidCreate } from './validate.ts'
import { withDistinctOwners } from './owner-references.ts'
import { HeldValues } from './held-values.ts'
import { rememberMade, rememberView, viewOf } from './views.ts'
import { fitted } from './fitted.ts'

const GENERATE_ATTEMPTS = 8
/** For those who are refused for want of memory. */
const RETRY_SECONDS = 5

/** Creates an object decoded in the version of the request. Answers it as stored, in that version. */
export async function createObject(services: RegistryServices, context: WriteContext, input: KubeObject): Promise<StoredObject> {
  for (let attempt = 1; ; attempt++) {
    const held = new HeldValues()
    try {
      return await attemptCreate(services, context, input, held)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      const generated = !input.metadata.name && Boolean(input.metadata.generateName)
      if (generated && attempt < GENERATE_ATTEMPTS) continue
      // The winner is durable and visible by now (see Storage.write): whoever is told that it exists can read it.
      throw taken(context.type, input, input.metadata.name ?? input.metadata.generateName)
    } finally {
      held.settle()
    }
  }
}

async function attemptCreate(
  services: RegistryServices,
  context: WriteContext,
  input: KubeObject,
  held: HeldValues,
): Promise<StoredObject> {
  const { type, bytes = 0 } = context
  const isLong = longWork.isLong(bytes)
  if (isLong) await longWork.turn()
  const named = withServerMetadata(services, context, withDistinctOwners(input, context.warn, false))
  // Owners are recorded before admission and the kind's own changes: what the server adds belongs to nobody.
  const tracked = context.applied === true ? named : track(services, context, named, type.zero)
  const name = tracked.metadata.name ?? ''
  const request = { operation: 'CREATE', ...context, name } as const
  if (type.custom) assertNotTerminating(services, type, name)
  const admitted = (await services.admission.mutate({ ...request, object: tracked })) ?? tracked
  const decoded = admitted === tracked ? tracked : type.decode(withMeta(admitted, identityOf(tracked)))
  if (isLong) await longWork.turn()
  const prepared = type.strategy.prepareForCreate(withDistinctOwners(held.give(services, context, decoded), context.warn, true), {
    now: services.now(),
    user: context.user,
  })
  assertValidCreate(type, prepared)
  if (isLong) await longWork.turn()
  const object = context.applied === true ? (type.prune?.(prepared) ?? prepared) : prepared
  for (const warning of type.strategy.warnings(object)) context.warn(warning)
  const settle = await services.admission.validate({ ...request, object })
  try {
    return await store(services, context, { name, object, given: input })
  } finally {
    settle?.()
  }
}

interface Admitted {
  readonly name: string
  readonly object: KubeObject
  /** As the client sent it. */
  readonly given: KubeObject
}

async function store(services: RegistryServices, context: WriteContext, { name, object, given }: Admitted): Promise<StoredObject> {
  const { type } = context
  const objects = services.catalog.store(type)
  const key = storageKey(type, context.namespace, name)
  const holder = objects.get(key)
  if (holder !== undefined) throw given.metadata.name ? taken(type, given, name, holder.object) : new ConflictError(key, 0, 0)
  if (context.dryRun) return StoredObject.ofObject(key, 0, object)
  const problem = services.memoryProblem()
  if (problem !== undefined) throw tooManyRequests(problem, RETRY_SECONDS)
  assertNoVersion(object)
  const fitting = fitted(type, key, object, context)
  const [stored = fitting] = type.conversion === undefined ? [fitting] : await type.conversion.toStored([fitting])
  const written = await objects.write(key, 0, stored, stored === fitting ? (made) => rememberMade(type, made) : undefined)
  // What the stored version does not know is gone, and the answer shows it.
  if (type.custom || stored === fitting) return viewOf(type, written)
  return rememberView(type, written, withMeta(fitting, { resourceVersion: written.object.metadata.resourceVersion }))
}

/** Whoever lets names be generated is told to try again, even when the name was given. */
function taken(type: ResourceType, { metadata }: KubeObject, name: string | undefined, holder?: KubeObject): Error {
  const { status } = alreadyExists(subjectOf(type, name))
  const message = `${holder?.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: '}${status.message ?? ''}`
  if (!metadata.generateName) return failure({ code: 409, reason: 'AlreadyExists', message, details: status.details })
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${message}, the server was not able to generate a unique name for the object`,
    details: { ...status.details, retryAfterSeconds: 1 },
  })
}

/** Nothing new of a kind that is going away: its instances are being removed. */
function assertNotTerminating({ catalog }: RegistryServices, type: ResourceType, name: string): void {
  const definitions = catalog.find(CRD_GROUP, 'v1', CRD_PLURAL)
  const crd = definitions && catalog.store(definitions).get(`${definitions.storage.prefix}${type.plural}.${type.group}`)?.object
  if (crd?.metadata.deletionTimestamp !== undefined)
    throw forbidden(subjectOf(type, name), 'create not allowed while custom resource definition is terminating')
}

/** Late, because that is where kube-apiserver notices: a dry run passes, and so does what is not a version. */
function assertNoVersion({ metadata }: KubeObject): void {
  if (Number(metadata.resourceVersion ?? 0) > 0)
    throw failure({ code: 500, reason: '', message: 'resourceVersion should not be set on objects to be created' })
}

/** The server's own part of metadata. Clients cannot choose it. */
function withServerMetadata(services: RegistryServices, { type, namespace }: WriteContext, input: KubeObject): KubeObject {
  const { metadata } = input
  const name = metadata.name || (metadata.generateName ? generateName(metadata.generateName, services.random) : undefined)
  return withMeta(input, {
    name,
    namespace: type.namespaced ? namespace : undefined,
    uid: services.newUid(),
    creationTimestamp: formatTime(services.now()),
    ...(type.bumpsGeneration !== undefined && { generation: 1 }),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  })
}

const identityOf = ({ metadata }: KubeObject): Partial<KubeObject['metadata']> => ({
  ...(metadata.name !== undefined && { name: metadata.name }),
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  ...(metadata.uid !== undefined && { uid: metadata.uid }),
  ...(metadata.creationTimestamp !== undefined && { creationTimestamp: metadata.creationTimestamp }),
})

export const subjectOf = (type: ResourceType, name: string | undefined): { group: string; resource: string; name: string } => ({
  group: type.group,
  resource: type.plural,
  name: name ?? '',
})
