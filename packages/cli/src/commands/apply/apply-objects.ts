import { deepEqual, gvkOf, hasReason, type KubeObject, StatusError, withMeta } from '@weft/api'
import { ConnectionError, isUnknownResource, type Mapping, type PatchOptions } from '@weft/client'
import { type Cluster, readableMessage } from '../../cluster/index.ts'
import type { Manifest } from '../../manifests/index.ts'
import { formatName } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { withMeantFields } from '../explain/meant-fields.ts'

/** What became of one object, in kubectl's words. */
export interface Applied {
  readonly manifest: Manifest
  readonly object: KubeObject
  readonly outcome: 'created' | 'configured' | 'unchanged'
}

export interface WriteOptions {
  readonly forceConflicts?: boolean
  readonly fieldManager: string
  readonly validate: string
  /** `server`: nothing is written after the check, which is all that there is to see. */
  readonly dryRun: string
}

/** Requests at a time while nothing is written. */
const CONCURRENCY = 8

/**
 * Asks the server about every object without writing. Rejects with all that it refuses, each with file and line: then
 * nothing was applied. `homeless` are those whose namespace is not there yet: they are tried in another one, as far as that tells anything.
 */
export async function checkAll(
  cluster: Cluster,
  manifests: readonly Manifest[],
  options: WriteOptions,
  homeless: readonly Manifest[] = [],
): Promise<readonly Applied[]> {
  const checks: Applied[] = []
  const problems: string[] = []
  const check = async (manifest: Manifest, index: number): Promise<void> => {
    try {
      checks[index] = await write(cluster, manifest, options, true)
    } catch (error) {
      if (!isRefusal(error)) throw error
      problems[index] = await problemOf(cluster, manifest, error)
    }
  }
  const elsewhere: string[] = []
  const checkElsewhere = async (manifest: Manifest, index: number): Promise<void> => {
    const refusal = await refusedElsewhere(cluster, manifest, options)
    if (refusal !== undefined) elsewhere[index] = await problemOf(cluster, manifest, refusal)
  }
  await withProgress(`checking ${manifests.length + homeless.length} objects`, async () => {
    await inBatches(manifests, check)
    await inBatches(homeless, checkElsewhere)
  })
  const found = [...problems, ...elsewhere].filter((problem) => problem !== undefined)
  if (found.length === 1) throw new CommandFailure(found[0] ?? '')
  if (found.length > 1) throw new CommandFailure(`${found.length} objects were refused\n  ${found.join('\n  ')}`)
  return checks
}

/**
 * What the server says of an object in the namespace of the context instead of its own, which is not there yet. Only what is wrong with the object itself
 * counts: rights, quotas and what others own are those of that other namespace. Nothing where an object of its name is there: that would be another question.
 */
async function refusedElsewhere(cluster: Cluster, manifest: Manifest, options: WriteOptions): Promise<StatusError | undefined> {
  const { object } = manifest
  const { namespace } = cluster
  try {
    if ((await cluster.quiet.find(gvkOf(object), { name: object.metadata.name ?? '', namespace })) !== undefined) return undefined
    await write(cluster, manifest, { ...options, forceConflicts: true }, true, namespace)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (!OF_THE_PLACE.some((reason) => hasReason(error, reason))) return error
  }
  return undefined
}

/** Refusals that say something of the namespace or the server rather than of the object. */
const OF_THE_PLACE = [
  'Forbidden',
  'NotFound',
  'Conflict',
  'AlreadyExists',
  'TooManyRequests',
  'Timeout',
  'ServerTimeout',
  'ServiceUnavailable',
] as const

/** Of what was only checked: would the object be the same afterwards? */
export async function withUnchanged(cluster: Cluster, checks: readonly Applied[]): Promise<readonly Applied[]> {
  const known: Applied[] = []
  await inBatches(checks, async (check, index) => {
    const { object, outcome } = check
    const { name = '', namespace } = object.metadata
    const live = outcome === 'created' ? undefined : await cluster.client.find(gvkOf(object), { name, namespace })
    known[index] = live !== undefined && deepEqual(essence(live), essence(object)) ? { ...check, outcome: 'unchanged' } : check
  })
  return known
}

/** Without the bookkeeping, whose times change by being looked at. */
const essence = (object: KubeObject): KubeObject =>
  withMeta(object, { managedFields: undefined, resourceVersion: undefined, generation: undefined })

export interface ApplyProgress {
  /** What the check before has found, in the same order. */
  readonly checks: readonly Applied[]
  readonly onApplied: (applied: Applied) => void
}

/** Writes one after the other, in order; the first that fails ends it. */
export async function applyAll(
  cluster: Cluster,
  manifests: readonly Manifest[],
  options: WriteOptions,
  { checks, onApplied }: ApplyProgress,
): Promise<void> {
  await withProgress(`applying ${manifests.length} objects`, async () => {
    for (const [index, manifest] of manifests.entries()) {
      try {
        const written = await write(cluster, manifest, options, false)
        const before = checks[index]
        const same = written.outcome !== 'created' && before?.object.metadata.resourceVersion === written.object.metadata.resourceVersion
        onApplied(same ? { ...written, outcome: 'unchanged' } : written)
      } catch (error) {
        throw isRefusal(error) ? new CommandFailure(await problemOf(cluster, manifest, error), { cause: error }) : error
      }
    }
  })
}

/** The server's verdict about one object, as opposed to a server that is not there or does not know us. */
const isRefusal = (error: unknown): error is StatusError =>
  error instanceof StatusError && !(error instanceof ConnectionError) && !hasReason(error, 'Unauthorized')

async function write(cluster: Cluster, manifest: Manifest, options: WriteOptions, dryRun: boolean, instead?: string): Promise<Applied> {
  const { object } = manifest
  const mapping = await cluster.client.mapping(gvkOf(object))
  const { resource, body } = addressOf(cluster, mapping, object, instead)
  const transport = dryRun && options.dryRun !== 'server' ? cluster.trial : cluster.transport
  const patchOptions: PatchOptions = {
    fieldManager: options.fieldManager,
    force: options.forceConflicts,
    dryRun,
    fieldValidation: VALIDATION[options.validate] ?? 'Strict',
  }
  try {
    const answer = await transport.request({ verb: 'patch', resource, patch: { type: 'apply', body }, options: patchOptions })
    return { manifest, object: answer.body as KubeObject, outcome: answer.status === 201 ? 'created' : 'configured' }
  } catch (error) {
    if (isUnknownResource(error)) cluster.mapper.invalidate()
    throw error
  }
}

const VALIDATION: Readonly<Record<string, 'Strict' | 'Warn' | 'Ignore'>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
}

/** Where an object goes, and the object as it is sent: what only a server may set is not. */
function addressOf(cluster: Cluster, { group, version, plural, namespaced }: Mapping, object: KubeObject, instead?: string) {
  const namespace = instead ?? namespaceOf(cluster, namespaced, object)
  const body = withMeta(object, {
    namespace,
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
    creationTimestamp: undefined,
    generation: undefined,
  })
  return { resource: { group, version, plural, namespace, name: object.metadata.name ?? '' }, body }
}

export function namespaceOf(
  cluster: Pick<Cluster, 'namespace' | 'namespaceIsExplicit'>,
  namespaced: boolean,
  object: KubeObject,
): string | undefined {
  if (!namespaced) return undefined
  const own = object.metadata.namespace
  if (own !== undefined && own !== '' && cluster.namespaceIsExplicit && own !== cluster.namespace)
    throw new CommandFailure(`${formatName(object)} is in namespace "${own}", but -n says "${cluster.namespace}": leave out one of them`)
  return own === undefined || own === '' ? cluster.namespace : own
}

async function problemOf(cluster: Cluster, { object, source }: Manifest, error: StatusError): Promise<string> {
  const where = source.file === '-' ? `standard input:${source.line}` : `${source.file}:${source.line}`
  const next = hasReason(error, 'Conflict') ? '; --force-conflicts takes the fields over, or leave them out of the file' : ''
  const message = await withMeantFields(cluster, object, readableMessage(error.message))
  // The server names the object in most of its messages.
  return message.includes(`"${object.metadata.name ?? ''}"`)
    ? `${where}: ${message}${next}`
    : `${where}: ${formatName(object)}: ${message}${next}`
}

async function inBatches<T>(items: readonly T[], each: (item: T, index: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += CONCURRENCY)
    await Promise.all(items.slice(at, at + CONCURRENCY).map((item, offset) => each(item, at + offset)))
}
