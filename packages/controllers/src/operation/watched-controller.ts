import { createHash } from 'node:crypto'
import { formatGroupVersion, formatTime, gvkOf, hasReason, isPaused, type KubeObject, matchesLabels, requirementsOf } from '@weft/api'
import type { Client } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { type ControllerSpec, done, type ReconcileContext, type Request, type Result, watch } from '@weft/runtime'
import { deleteLive } from '../binding/live-object.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { KindController } from '../definition/kind-controllers.ts'
import { operationBy } from './history.ts'
import { isOver, type Operation, operationKind, WATCH_LABEL, type WatchOperation } from './kinds.ts'

/** Stands for the version of what is gone. */
const DELETED = 'ops.crossplane.io/synthetic-deleted'
const REQUIREMENT = 'ops.crossplane.io/watched-resource'
const ANNOTATION = 'ops.crossplane.io/watched-resource-'

/**
 * The controller of one WatchOperation: makes an Operation for every version of an object that it sees, and one when the object is gone (K153). The name
 * follows from the version, so that none is made twice; one that was made here and collected since is not made again either.
 */
export function watchedController(first: WatchOperation, kind: DefinedKind, now: () => number): KindController<WatchOperation> {
  let watching = first
  /** The version of each object that has its Operation. */
  const seen = new Map<string, string>()

  const reconcile = async (request: Request, { primary, cached, client }: ReconcileContext): Promise<Result> => {
    if (isPaused(watching) || watching.metadata.deletionTimestamp !== undefined) return done
    const key = `${request.namespace ?? ''}/${request.name}`
    const found = primary.get(request)
    const object = found ?? (seen.has(key) ? gone(kind, request, now()) : undefined)
    if (object === undefined || !isWatched(watching, object)) {
      // Of something that left what is watched, the end is no news.
      if (found !== undefined) seen.delete(key)
      return done
    }
    const version = object.metadata.resourceVersion ?? ''
    if (seen.get(key) === version) return done
    const mine = cached(operationKind)
      .list()
      .filter((each) => controllerOf(each)?.uid === watching.metadata.uid)
    const running = mine.filter((each) => !isOver(each))
    const { concurrencyPolicy = 'Allow' } = watching.spec
    if (running.length === 0 || concurrencyPolicy !== 'Forbid') {
      if (concurrencyPolicy === 'Replace') for (const each of running) await deleteLive(client, operationKind, each)
      await create(operationOf(watching, object), client)
    }
    if (found === undefined) seen.delete(key)
    else seen.set(key, version)
    return done
  }

  const spec: ControllerSpec = {
    name: `watched/${first.metadata.name ?? ''}`,
    kind,
    predicate: () => true,
    // Only to know them.
    watches: [watch({ kind: operationKind, map: () => [] })],
    reconcile,
    concurrency: 4,
    backoff: { baseMs: 250, maxMs: 30_000 },
  }
  return {
    spec,
    kind,
    configure(next) {
      watching = next
    },
  }
}

/** All that is still known of an object that is no longer there. */
const gone = ({ group, version, kind }: DefinedKind, { name, namespace }: Request, nowMs: number): KubeObject => ({
  apiVersion: formatGroupVersion({ group, version }),
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }), resourceVersion: DELETED, deletionTimestamp: formatTime(nowMs) },
})

export function isWatched({ spec }: WatchOperation, { metadata }: KubeObject): boolean {
  const { namespace, matchLabels } = spec.watch
  if (namespace && metadata.namespace !== undefined && metadata.namespace !== namespace) return false
  // Nothing is known of the labels of what is gone: it was watched while it was there.
  return metadata.resourceVersion === DELETED || matchesLabels(requirementsOf({ matchLabels: matchLabels ?? {} }), metadata.labels)
}

/** One that is there was made for the same version. */
async function create(operation: Operation, client: Client): Promise<void> {
  try {
    await client.create(operation, { fieldManager: CORE_MANAGER })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

export function operationNameOf(watcher: string, object: KubeObject): string {
  const { group, version, kind } = gvkOf(object)
  const { namespace = '', name = '', uid = '', resourceVersion = '', deletionTimestamp } = object.metadata
  const deleted = deletionTimestamp === undefined ? '' : `/${deletionTimestamp}`
  const text = `${group}/${version}, Kind=${kind}/${namespace}/${name}/${uid}/${resourceVersion}${deleted}`
  return `${watcher}-${createHash('sha256').update(text).digest('hex').slice(0, 7)}`
}

function operationOf(given: WatchOperation, object: KubeObject): Operation {
  const { name = '', namespace, resourceVersion = '' } = object.metadata
  const required = {
    requirementName: REQUIREMENT,
    apiVersion: object.apiVersion,
    kind: object.kind,
    name,
    ...(namespace !== undefined && { namespace }),
  }
  const template = given.spec.operationTemplate.spec
  return operationBy(given, {
    name: operationNameOf(given.metadata.name ?? '', object),
    label: WATCH_LABEL,
    annotations: {
      [`${ANNOTATION}apiversion`]: object.apiVersion,
      [`${ANNOTATION}kind`]: object.kind,
      [`${ANNOTATION}name`]: name,
      [`${ANNOTATION}resourceversion`]: resourceVersion,
      ...(namespace !== undefined && { [`${ANNOTATION}namespace`]: namespace }),
    },
    spec: {
      ...template,
      pipeline: (template.pipeline ?? []).map((step) => ({
        ...step,
        requirements: { ...step.requirements, requiredResources: [...(step.requirements?.requiredResources ?? []), required] },
      })),
    },
  })
}
