import { gvkOf, type KubeObject } from '@weft/api'
import { NoMatchError } from '@weft/client'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { type Manifest, readManifests } from '../../manifests/index.ts'
import { formatDuration } from '../../output/index.ts'
import { type TellWhy, withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { type Choice, type NamedObject, namedObjects } from '../../selection/named-objects.ts'
import { describeObject } from '../../selection/targets.ts'
import { namespaceOf } from '../apply/apply-objects.ts'
import { isFoundation } from '../apply/phases.ts'
import { notFound, reportAll } from '../get/get.ts'
import { waitForObject } from '../wait/wait-for-object.ts'

export interface DeleteOptions extends ClusterOptions, Choice {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly cascade: string
  readonly wait: boolean
  readonly timeout: number
  readonly ignoreNotFound?: boolean
  readonly dryRun: string
  readonly output?: string
}

export async function deleteObjects(words: readonly string[], options: DeleteOptions): Promise<number> {
  const manifests = options.filename === undefined ? undefined : await readManifests(options.filename, options)
  if ((manifests === undefined) === (words.length === 0))
    throw new CommandFailure('name what to delete: TYPE/NAME, TYPE NAME, or files with -f')
  if (options.output !== undefined && options.output !== 'name') throw new CommandFailure('the only value of -o here is name')
  return withCluster(options, async (cluster) => {
    const doomed = manifests === undefined ? await namedObjects(cluster, words, options) : await inFiles(cluster, manifests)
    if (doomed.length === 0) process.stderr.write('No resources found.\n')
    const failures: CommandFailure[] = []
    const going: (NamedObject & { readonly uid: string | undefined })[] = []
    for (const each of doomed) {
      const deleted = await deleteOne(cluster, each, options)
      if (deleted !== undefined) going.push({ ...each, uid: deleted.metadata?.uid })
      else if (options.ignoreNotFound !== true && options.all !== true && options.selector === undefined)
        failures.push(notFound(each.kind, each.name, each.namespace))
    }
    if (options.wait && options.dryRun === 'none') await untilGone(cluster, going, options)
    return reportAll(failures)
  })
}

const PROPAGATION: Readonly<Record<string, 'Background' | 'Foreground' | 'Orphan'>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
}

/** The object as it was; undefined when there was none. */
async function deleteOne(
  cluster: Cluster,
  { kind, name, namespace }: NamedObject,
  options: DeleteOptions,
): Promise<KubeObject | undefined> {
  const before = await cluster.client.find(kind, { name, namespace })
  if (before === undefined) return undefined
  const dryRun = options.dryRun === 'server'
  if (options.dryRun !== 'client') {
    const there = await cluster.client.delete(kind, { name, namespace }, { propagationPolicy: PROPAGATION[options.cascade], dryRun })
    if (!there) return undefined
  }
  const resource = `${kind.kind.toLowerCase()}${kind.group === '' ? '' : `.${kind.group}`}`
  const suffix = dryRun ? ' (server dry run)' : options.dryRun === 'client' ? ' (dry run)' : ''
  process.stdout.write(options.output === 'name' ? `${resource}/${name}\n` : `${resource} "${name}" deleted${suffix}\n`)
  return before
}

async function untilGone(
  cluster: Cluster,
  going: readonly (NamedObject & { readonly uid: string | undefined })[],
  { timeout }: DeleteOptions,
): Promise<void> {
  const signal = timeout > 0 ? AbortSignal.timeout(timeout) : new AbortController().signal
  const problems = await withProgress(
    `waiting for ${going.map(({ name }) => name).join(', ')} to go`,
    (tell) => Promise.all(going.map((each) => gone(cluster, each, { signal, timeout, tell }))),
    { atTerminal: true },
  )
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new CommandFailure(found.join('\nerror: '))
}

async function gone(
  cluster: Cluster,
  target: NamedObject & { readonly uid: string | undefined },
  { signal, timeout, tell }: { readonly signal: AbortSignal; readonly timeout: number; readonly tell: TellWhy },
): Promise<string | undefined> {
  let finalizers: readonly string[] = []
  const onSeen = (object: KubeObject | undefined): void => {
    finalizers = object?.metadata.finalizers ?? []
    if (finalizers.length > 0) tell(`${target.name} waits for ${finalizers.join(', ')}`)
  }
  try {
    if (await waitForObject(cluster, target, (object) => object === undefined, { signal, onSeen })) return undefined
  } catch (error) {
    // The kind itself went, and its objects with it.
    if (error instanceof NoMatchError) return undefined
    throw error
  }
  const why = finalizers.length === 0 ? '' : `; it waits for ${finalizers.join(', ')}`
  return `${describeObject(target.kind, target.name)} is not gone after ${formatDuration(timeout)}${why} (weft describe says more)`
}

/** In the opposite order: what was made last goes first, and definitions and namespaces after all. Kinds that are not served any more have no objects. */
async function inFiles(cluster: Cluster, manifests: readonly Manifest[]): Promise<readonly NamedObject[]> {
  const doomed: NamedObject[] = []
  const ordered = [...manifests.filter(({ object }) => isFoundation(object)), ...manifests.filter(({ object }) => !isFoundation(object))]
  for (const { object } of ordered) {
    try {
      const kind = await cluster.client.mapping(gvkOf(object))
      doomed.unshift({ kind, name: object.metadata.name ?? '', namespace: namespaceOf(cluster, kind.namespaced, object) })
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error
      process.stderr.write(
        `${object.kind} "${object.metadata.name ?? ''}" is gone: the server does not serve ${object.apiVersion} ${object.kind}\n`,
      )
    }
  }
  return doomed
}
