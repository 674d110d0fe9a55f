import { hasReason, type KubeObject, messageOf, parseGroupVersion, StatusError } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { asSent, refused } from './replay.ts'
import type { Change, PlanOptions } from './plan.ts'

/**
 * Asks the server itself about each object of a change, without writing: its admission (webhooks, policies, quotas) and the rights of whoever asks are known
 * nowhere else. What it refuses is a PlanError, except for lack of rights: those who may look and not touch get a plan and a warning. Objects that
 * depend on others of the change (a kind) cannot be asked about; what waits for its namespace is tried in the one that the change is made in, so that its warnings
 * are heard. Answers warnings.
 */
export async function dryRun(client: Client, change: Change, options: PlanOptions): Promise<readonly string[]> {
  const { fieldManager = 'weft-cli', force = false, namespace = 'default' } = options
  const warnings: string[] = []
  const ask = async (what: string, kind: string, name: string, request: () => Promise<unknown>): Promise<void> => {
    try {
      await request()
    } catch (error) {
      if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return
      if (!hasReason(error, 'Forbidden')) throw refused(error, kind, name)
      warnings.push(`you could not ${what} ${kind} ${name}: ${messageOf(error)}`)
    }
  }
  const apply = async (object: KubeObject): Promise<void> =>
    ask('apply', object.kind, object.metadata.name ?? '', async () => {
      const { group, version } = parseGroupVersion(object.apiVersion)
      const { namespaced } = await client.mapping({ group, version, kind: object.kind })
      const placed = namespaced ? { ...object, metadata: { namespace, ...object.metadata } } : object
      const settings = { fieldManager, force, fieldValidation: 'Strict', dryRun: true, signal: options.signal } as const
      try {
        return await client.apply(asSent(placed), settings)
      } catch (error) {
        if (!hasReason(error, 'NotFound') || !namespaced || !comesWith(change, placed.metadata.namespace)) throw error
        await tryElsewhere(asSent({ ...placed, metadata: { ...placed.metadata, namespace } }), { ...settings, force: true })
        return undefined
      }
    })
  /** What the server refuses there says nothing of where it belongs, and what is there already is another object. */
  const tryElsewhere = async (object: KubeObject, settings: Parameters<Client['apply']>[1]): Promise<void> => {
    const { metadata } = object
    try {
      const quiet = options.reader ?? client
      const ref = { name: metadata.name ?? '', namespace }
      if ((await quiet.find({ ...parseGroupVersion(object.apiVersion), kind: object.kind }, ref)) === undefined)
        await client.apply(object, settings)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
    }
  }
  await Promise.all([
    ...(change.apply ?? []).map(apply),
    ...(change.delete ?? []).map((ref) =>
      ask('delete', ref.kind, ref.name, () =>
        client.delete({ ...parseGroupVersion(ref.apiVersion), kind: ref.kind }, ref, { dryRun: true, signal: options.signal }),
      ),
    ),
  ])
  return warnings
}

const comesWith = ({ apply = [] }: Change, namespace: string | undefined): boolean =>
  apply.some(({ apiVersion, kind, metadata }) => apiVersion === 'v1' && kind === 'Namespace' && metadata.name === namespace)
