import { hasReason } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, discover } from '@weft/client'
import type { TraceNode, TraceRef } from '@weft/composition'
import { type Change, PlanError } from '../change/plan.ts'
import { traceObject } from '../trace/trace-object.ts'
import { kindOf, kindsIn, NEEDED, ownerKindsOf, storedCrd, storedKindOf } from './kinds.ts'
import { WorldReader } from './world-reader.ts'

export interface ReadOptions {
  /** Of objects that name none. */
  readonly namespace?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What reading a world begins with. */
export interface Beginning {
  readonly reader: WorldReader
  readonly definitions: readonly CustomResourceDefinition[]
  /** The objects that the change names. */
  readonly concerned: readonly TraceRef[]
}

export async function beginReading(
  client: Client,
  change: Change,
  { namespace = 'default', signal }: ReadOptions = {},
): Promise<Beginning> {
  const [served, definitions] = await Promise.all([discover(client.transport, signal), listDefinitions(client, signal)])
  const concerned = [...(change.apply ?? []).map((object) => ({ ...object, ...object.metadata })), ...(change.delete ?? [])].map(
    (each) => ({ apiVersion: each.apiVersion, kind: each.kind, namespace: each.namespace ?? namespace, name: each.name ?? '' }),
  )
  const namespaces = [...new Set(concerned.map((ref) => ref.namespace))]
  const reader = new WorldReader({ client, served, custom: definitions.flatMap(storedKindOf), namespaces, signal })
  reader.take(storedCrd, definitions)
  return { reader, definitions, concerned }
}

/**
 * Everything that a change may have to do with, read with the rights of whoever asks. Somebody who works in one namespace sees their own part: what is
 * theirs in that namespace, what is on offer, and, one by one, what was made for what they change. What that leaves out and the change may depend
 * on is a warning.
 */
export async function readEverything({ reader, concerned }: Beginning): Promise<void> {
  await reader.read([...reader.custom, ...NEEDED.flatMap((kind) => reader.stored(kind) ?? [])])
  // What is composed, applied or owns something may be of any kind of Kubernetes; only those are read.
  const more = [...kindsIn(reader.all()), ...concerned.map(kindOf), ...ownerKindsOf(reader.all())]
  await reader.read(more.flatMap((kind) => reader.stored(kind) ?? []))
  for (const ref of concerned) await readBelow(reader, ref)
}

/** What was made for an object, where it could not be listed: each of them by name. */
async function readBelow(reader: WorldReader, ref: TraceRef): Promise<void> {
  if (!reader.anyDenied) return
  const { namespace: _, ...unplaced } = ref
  const node = await traceObject((wanted) => reader.fetch(wanted), reader.stored(kindOf(ref))?.namespaced === false ? unplaced : ref)
  const visit = ({ state, ref: at, children }: TraceNode): void => {
    if (state === 'hidden') reader.hide(at)
    children.forEach(visit)
  }
  visit(node)
}

/** Without them there is nothing to plan with. */
async function listDefinitions(client: Client, signal: AbortSignal | undefined): Promise<readonly CustomResourceDefinition[]> {
  try {
    return (await client.list(customResourceDefinitionKind, { signal })).items
  } catch (error) {
    if (!hasReason(error, 'Forbidden')) throw error
    throw new PlanError('you may not list CustomResourceDefinitions, which a plan needs: ask for the right to list them', { cause: error })
  }
}
