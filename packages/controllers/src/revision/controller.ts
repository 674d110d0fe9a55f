import { deepEqual, hasReason, isJsonObject, isPaused, type KubeObject, specOf, withMeta } from '@weft/api'
import type { Client, InformerReader, Kind } from '@weft/client'
import { controllerOf } from '@weft/composition'
import {
  annotationsChanged,
  anyOf,
  type ControllerSpec,
  done,
  type EventRecorder,
  generationChanged,
  labelsChanged,
  type ReconcileContext,
  type Request,
  type Result,
  toOwner,
  watch,
} from '@weft/runtime'
import { withStatus } from '../binding/conditions.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { compositionHash, isPipeline, pipelineSpec } from './composition-hash.ts'
import { compositionRevisionKind, pipelineCompositionKind } from './kinds.ts'
import { COMPOSITION_NAME_LABEL, numberOf, REVISION_INDEXES, revisionsOf } from './revisions.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

const HASH_LABEL = 'crossplane.io/composition-hash'

/**
 * Keeps a CompositionRevision of every state that a Composition with a pipeline was in (K39–K43). The present one has the highest number: a new state is
 * a new revision, and going back to an old state raises the number of that one's. None is ever deleted while its Composition lives.
 */
export function revisionController(services: DefinitionServices, functions?: PipelineFunctions): ControllerSpec {
  const name = 'revision/composition'
  const events = services.recorder(name)
  return {
    name,
    kind: pipelineCompositionKind,
    predicate: anyOf(generationChanged, labelsChanged, annotationsChanged),
    watches: [
      watch({ kind: compositionRevisionKind, indexes: REVISION_INDEXES, map: toOwner(pipelineCompositionKind) }),
      ...(functions === undefined
        ? []
        : [watch({ kind: functions.revisions, map: (object, primary) => askers(functions.nameOf(object), primary) })]),
    ],
    reconcile: (request, context) =>
      reconcile(request, context, { events, now: () => services.clock.now(), unfit: (name) => functions?.unfit(name) }),
    concurrency: 4,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
}

/** What is known of the functions that pipelines ask. */
export interface PipelineFunctions {
  /** What says what a function can do: revisions of packages. */
  readonly revisions: Kind
  /** Of which function such a revision is. */
  nameOf(revision: KubeObject): string
  /** Why it cannot compose; undefined when it can, or nobody knows. */
  unfit(functionName: string): string | undefined
}

interface Means {
  readonly events: EventRecorder
  now(): number
  unfit(functionName: string): string | undefined
}

/** The functions that a pipeline asks. */
function askedBy(composition: KubeObject): readonly string[] {
  const { pipeline } = specOf(composition)
  const steps: readonly unknown[] = Array.isArray(pipeline) ? pipeline : []
  return steps.flatMap((step) => {
    const ref: unknown = isJsonObject(step) ? step['functionRef'] : undefined
    return isJsonObject(ref) && typeof ref['name'] === 'string' ? [ref['name']] : []
  })
}

const askers = (functionName: string, compositions: InformerReader): readonly Request[] =>
  compositions
    .list()
    .flatMap((composition) => (askedBy(composition).includes(functionName) ? [{ name: composition.metadata.name ?? '' }] : []))

async function reconcile({ name }: Request, context: ReconcileContext, means: Means): Promise<Result> {
  const composition = context.primary.get({ name })
  if (composition === undefined || composition.metadata.deletionTimestamp !== undefined) return done
  if (!isPipeline(composition) || isPaused(composition)) return done
  const { client } = context
  const { uid } = composition.metadata
  const named = revisionsOf(context.cached(compositionRevisionKind), name)
  for (const lost of named.filter((revision) => controllerOf(revision) === undefined)) await adopt(client, lost, composition)
  const own = named.filter((revision) => controllerOf(revision)?.uid === uid)
  const highest = Math.max(0, ...own.map(numberOf))
  const current = own.find((revision) => isOf(revision, composition))
  if (current === undefined) {
    const revision = await create(client, revisionOf(composition, highest + 1))
    means.events.normal(composition, 'CreateRevision', `Created new revision ${revision.metadata.name ?? ''}`)
    await report(client, revision, means)
    return done
  }
  if (numberOf(current) < highest) {
    const spec = { ...specOf(current), revision: highest + 1 }
    await client.update({ ...current, spec } as KubeObject, { fieldManager: CORE_MANAGER })
    return done
  }
  for (const revision of own) await report(client, revision, means)
  return done
}

/** By what it says, not by its hash: whoever wrote it may have printed it otherwise, and the same state must not become two revisions. */
function isOf(revision: KubeObject, composition: KubeObject): boolean {
  const { revision: _number, ...spec } = specOf(revision)
  const { [COMPOSITION_NAME_LABEL]: _name, [HASH_LABEL]: _hash, ...labels } = revision.metadata.labels ?? {}
  const { [COMPOSITION_NAME_LABEL]: _theirName, [HASH_LABEL]: _theirHash, ...theirs } = composition.metadata.labels ?? {}
  return (
    deepEqual(spec, pipelineSpec(composition)) &&
    deepEqual(labels, theirs) &&
    deepEqual(revision.metadata.annotations ?? {}, composition.metadata.annotations ?? {})
  )
}

/** K41. */
export function revisionOf(composition: KubeObject, number: number): KubeObject {
  const { name = '', labels, annotations, uid = '' } = composition.metadata
  const hash = compositionHash(composition)
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositionRevision',
    metadata: {
      name: `${name}-${hash.slice(0, 7)}`,
      labels: { [COMPOSITION_NAME_LABEL]: name, [HASH_LABEL]: hash.slice(0, 63), ...labels },
      ...(annotations && { annotations }),
      ownerReferences: [ownerOf(name, uid)],
    },
    spec: { ...pipelineSpec(composition), revision: number },
  }
}

const ownerOf = (name: string, uid: string) => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})

/** One of that name that is somebody else's stays; what it says is told by the error. */
async function create(client: Client, revision: KubeObject): Promise<KubeObject> {
  try {
    return await client.create(revision, { fieldManager: CORE_MANAGER })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    const existing = await client.get(compositionRevisionKind, { name: revision.metadata.name ?? '' })
    if (controllerOf(existing)?.uid === controllerOf(revision)?.uid) return existing
    throw error
  }
}

async function adopt(client: Client, revision: KubeObject, { metadata: { name = '', uid = '' } }: KubeObject): Promise<void> {
  const ownerReferences = [...(revision.metadata.ownerReferences ?? []), ownerOf(name, uid)]
  await client.update(withMeta(revision, { ownerReferences }), { fieldManager: CORE_MANAGER })
}

/** K43: a function that is not installed is no fault of the pipeline; one whose package says that it is for something else is. */
async function report(client: Client, revision: KubeObject, { now, unfit }: Means): Promise<void> {
  const message = askedBy(revision)
    .map(unfit)
    .find((why) => why !== undefined)
  const next = withStatus(revision, {
    conditions: [
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      message === undefined
        ? { type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline' }
        : { type: 'ValidPipeline', status: 'False', reason: 'MissingCapabilities', message },
    ],
    nowMs: now(),
  })
  if (next !== revision) await client.updateStatus(next, { fieldManager: CORE_MANAGER })
}
