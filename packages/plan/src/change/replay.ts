import { formatGroupKind, gvkOf, hasReason, type KubeObject, messageOf, parseGroupVersion, StatusError, withMeta } from '@weft/api'
import { createClient, NoMatchError } from '@weft/client'
import type { Fork } from './fork.ts'
import { type Change, PlanError, type PlanOptions } from './plan.ts'

/** Carries out a change in a fork, as the command line would on the server, and lets everything that follows from it happen. */
export async function replay(fork: Fork, change: Change, options: PlanOptions): Promise<void> {
  await applyAll(fork, change.apply ?? [], options)
  for (const ref of change.delete ?? []) {
    const { group, version } = parseGroupVersion(ref.apiVersion)
    const deleted = await fork.client.delete({ group, version, kind: ref.kind }, ref).catch((error: unknown) => {
      throw refused(error, ref.kind, ref.name)
    })
    if (!deleted) throw new PlanError(`${ref.kind} ${ref.name} does not exist: there is nothing to delete`)
  }
  await fork.settle()
}

/** Objects of kinds that others of them define wait for those. */
async function applyAll(fork: Fork, objects: readonly KubeObject[], options: PlanOptions): Promise<void> {
  const { fieldManager = 'weft-cli', force = false, namespace = 'default' } = options
  const client = createClient({ transport: fork.client.transport, mapper: fork.mapper, fieldManager, defaultNamespace: namespace })
  let pending = objects
  while (pending.length > 0) {
    const waiting: KubeObject[] = []
    let why: unknown
    for (const object of pending) {
      try {
        await client.apply(asSent(object), { fieldManager, force, fieldValidation: 'Strict' })
      } catch (error) {
        if (!waitsForOthers(error)) throw refused(error, object.kind, object.metadata.name ?? '')
        why ??= error
        waiting.push(object)
      }
    }
    const [first] = waiting
    if (first === undefined) return
    if (waiting.length === pending.length) throw unknownKind(why, first)
    pending = waiting
    await fork.settle()
    fork.mapper.invalidate()
  }
}

/** Its kind, or its namespace, may come with the others. */
const waitsForOthers = (error: unknown): boolean => error instanceof NoMatchError || hasReason(error, 'NotFound')

/** What only a server may set is not sent. */
export const asSent = (object: KubeObject): KubeObject =>
  withMeta(object, {
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
    creationTimestamp: undefined,
    generation: undefined,
  })

function unknownKind(error: unknown, object: KubeObject): PlanError {
  const why =
    error instanceof NoMatchError
      ? `the server does not serve ${formatGroupKind(gvkOf(object))}, and nothing in the change defines it: add its definition`
      : messageOf(error)
  return new PlanError(`${object.kind} ${object.metadata.name ?? ''}: ${why}`, { cause: error })
}

/** The failure as a reader of a plan wants it. */
export function refused(error: unknown, kind: string, name: string): unknown {
  if (error instanceof NoMatchError) return new PlanError(`${kind} ${name}: the server does not serve this kind`, { cause: error })
  if (!(error instanceof StatusError)) return error
  return new PlanError(error.message.includes(name) ? error.message : `${kind} ${name}: ${error.message}`, { cause: error })
}
