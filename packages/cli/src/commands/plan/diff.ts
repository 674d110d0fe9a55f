import { formatGroupVersion, hasReason, type KubeObject, messageOf, parseGroupVersion, StatusError } from '@weft/api'
import { NoMatchError } from '@weft/client'
import type { TraceRef } from '@weft/composition'
import { type Change, type Plan, planChange, PlanError } from '@weft/plan'
import { type Cluster, type ClusterOptions, readableMessage, withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { formatJson } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure, style } from '../../report.ts'
import { parseTargets } from '../../selection/targets.ts'
import { withMeantFields } from '../explain/meant-fields.ts'
import { formatPlan } from './format-plan.ts'
import { programsAt } from './programs-at.ts'
import { savePlan } from './saved-plan.ts'

export interface DiffOptions extends ClusterOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly delete?: boolean
  readonly forceConflicts?: boolean
  readonly fieldManager: string
  readonly output: 'text' | 'json'
  readonly all?: boolean
  readonly out?: string
}

const ERROR = 2

export async function diff(words: readonly string[], options: DiffOptions): Promise<number> {
  try {
    const plan = await planOf(words, options)
    for (const warning of plan.warnings) process.stderr.write(`${style('yellow', 'warning')}: ${warning}\n`)
    process.stdout.write(options.output === 'json' ? formatJson(plan) : formatPlan(plan, options))
    if (options.out !== undefined) process.stderr.write(`The plan is saved. To carry out exactly this: weft apply ${options.out}\n`)
    return plan.changes.length === 0 ? 0 : 1
  } catch (error) {
    // 1 means that there is a difference.
    const hint = error instanceof PlanError && hasReason(error.cause, 'Conflict') ? '; --force-conflicts takes the fields over' : ''
    throw new CommandFailure(`${messageOf(error)}${hint}`, { exitCode: ERROR, cause: error })
  }
}

async function planOf(words: readonly string[], options: DiffOptions): Promise<Plan> {
  const { filename = [], fieldManager, forceConflicts = false, out } = options
  if (words.length > 0 && options.delete !== true) throw new PlanError('objects are named with --delete only; files are given with -f')
  if (words.length === 0 && filename.length === 0)
    throw new PlanError('name files with -f, or what would be deleted with --delete TYPE/NAME')
  const objects = filename.length === 0 ? [] : (await readManifests(filename, options)).map(({ object }) => object)
  return withCluster(options, async (cluster) => {
    const change: Change =
      options.delete === true ? { delete: [...(await named(cluster, words)), ...(await deletable(cluster, objects))] } : { apply: objects }
    const { namespace, server } = cluster
    const plan = await withProgress('planning', () =>
      planChange(cluster.client, change, {
        fieldManager,
        force: forceConflicts,
        namespace,
        reader: cluster.quiet,
        programs: programsAt(server),
      }),
    ).catch(async (error: unknown) => {
      throw await inWords(cluster, objects, error)
    })
    if (out !== undefined) await savePlan(out, { server, change, fieldManager, forceConflicts, namespace, plan })
    return plan
  })
}

/** A refusal without what only programs read, and with the name of the field that was probably meant. */
async function inWords(cluster: Cluster, objects: readonly KubeObject[], error: unknown): Promise<unknown> {
  if (!(error instanceof PlanError) || !(error.cause instanceof StatusError)) return error
  const { message, cause } = error
  const refused = objects.find(({ kind, metadata: { name = '' } }) => message.includes(kind) && message.includes(name))
  if (refused === undefined) return error
  const words = await withMeantFields(cluster, refused, readableMessage(message))
  const name = refused.metadata.name ?? ''
  return new PlanError(words.includes(name) ? words : `${refused.kind} ${name}: ${words}`, { cause })
}

async function named({ kinds, namespace }: Cluster, words: readonly string[]): Promise<readonly TraceRef[]> {
  if (words.length === 0) return []
  const targets = await parseTargets(words, kinds)
  return targets.flatMap(({ kind, names }) => {
    if (names === undefined) throw new PlanError(`name the ${kind.plural} that would be deleted: ${kind.singular}/NAME`)
    return names.map((name) => ({ apiVersion: formatGroupVersion(kind), kind: kind.kind, ...(kind.namespaced && { namespace }), name }))
  })
}

/** What a file names and the server does not have cannot be deleted, which is fine. */
async function deletable(cluster: Cluster, objects: readonly KubeObject[]): Promise<readonly TraceRef[]> {
  const refs: TraceRef[] = []
  for (const { apiVersion, kind, metadata } of objects) {
    try {
      const mapping = await cluster.client.mapping({ ...parseGroupVersion(apiVersion), kind })
      const namespace = mapping.namespaced ? (metadata.namespace ?? cluster.namespace) : undefined
      const ref: TraceRef = { apiVersion, kind, ...(namespace !== undefined && { namespace }), name: metadata.name ?? '' }
      if ((await cluster.client.find(mapping, ref)) !== undefined) refs.push(ref)
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error
    }
  }
  return refs
}
