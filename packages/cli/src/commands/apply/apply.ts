import { type GroupVersionKind, gvkOf, matchesLabels, messageOf, parseLabelSelector, SelectorError } from '@weft/api'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { type Manifest, readManifests } from '../../manifests/index.ts'
import { formatName, formatObjects, type OutputFormat, parseOutputFormat } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import type { NamedObject } from '../../selection/named-objects.ts'
import { WORKING } from '../wait/condition.ts'
import { waitForAll } from '../wait/wait-for-all.ts'
import { type Applied, applyAll, checkAll, withUnchanged } from './apply-objects.ts'
import { planPhases, waitForKinds } from './phases.ts'
import { prune } from './prune.ts'

export interface ApplyOptions extends ClusterOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly dryRun: string
  readonly forceConflicts?: boolean
  readonly fieldManager: string
  readonly validate: string
  readonly prune?: boolean
  readonly selector?: string
  readonly waitForKinds: number
  readonly wait?: boolean
  readonly timeout: number
  readonly output?: string
}

export async function apply(plan: string | undefined, options: ApplyOptions): Promise<number> {
  const format = parseOutputFormat(options.output)
  const { filename = [] } = options
  if ((plan === undefined) === (filename.length === 0))
    throw new CommandFailure('name either files with -f, or a plan that `weft diff --out` has saved')
  if (plan !== undefined) return applySaved(plan, options, format)
  if (options.prune === true && options.selector === undefined)
    throw new CommandFailure('--prune needs -l: a selector that matches every object in the files, so that nothing else is deleted')
  const manifests = selected(await readManifests(filename, options), options.selector)
  for (const { object, source } of manifests)
    if (object.metadata.name === undefined)
      throw new CommandFailure(`${source.file}:${source.line}: ${object.kind} has generateName: only objects with a name can be applied`)
  if (options.dryRun === 'client') {
    await print(
      manifests.map((manifest) => ({ object: manifest.object, outcome: 'created', manifest })),
      format,
      ' (dry run: only read)',
    )
    return 0
  }
  return withCluster(options, (cluster) => applyTo(cluster, manifests, options, format))
}

/** A plan says itself what is applied, and how: it would be another one otherwise. */
async function applySaved(file: string, options: ApplyOptions, format: OutputFormat): Promise<number> {
  if (options.dryRun !== 'none' || options.prune === true || options.selector !== undefined)
    throw new CommandFailure('a saved plan is applied as it is: use --dry-run, --prune and -l with files only')
  const { applyPlan } = await import('../plan/apply-plan.ts')
  return applyPlan(file, options, (cluster, { fieldManager, forceConflicts }, manifests) =>
    applyTo(cluster, manifests, { ...options, fieldManager, forceConflicts }, format),
  )
}

async function applyTo(cluster: Cluster, manifests: readonly Manifest[], options: ApplyOptions, format: OutputFormat): Promise<number> {
  const dryRun = options.dryRun === 'server'
  const { now: first, later, checkable } = await planPhases(cluster, manifests)
  const checks = await checkAll(cluster, first, options, checkable)
  if (dryRun) {
    const created = checkable.map((manifest): Applied => ({ object: manifest.object, outcome: 'created', manifest }))
    await print([...(await withUnchanged(cluster, checks)), ...created], format, ' (server dry run)')
    for (const manifest of later)
      if (!checkable.includes(manifest))
        process.stderr.write(`${formatName(manifest.object)} could not be checked: its kind comes with the same files\n`)
    return 0
  }
  const done: Applied[] = []
  const onApplied = (applied: Applied): void => {
    done.push(applied)
    if (format.type === 'table') printLine(applied, '')
  }
  try {
    await applyAll(cluster, first, options, { checks, onApplied })
    if (later.length > 0) {
      await waitForKinds(cluster, later, options.waitForKinds)
      await applyAll(cluster, later, options, { checks: await checkAll(cluster, later, options), onApplied })
    }
  } catch (error) {
    throw interrupted(error, done, manifests)
  }
  if (format.type !== 'table') await print(done, format, '')
  if (options.prune === true) await prune(cluster, manifests, options)
  if (options.wait === true) await untilWorking(cluster, done, options.timeout)
  return 0
}

/** Only what somebody reports on can be waited for: a class or a ConfigMap just is. */
async function untilWorking(cluster: Cluster, done: readonly Applied[], timeoutMs: number): Promise<void> {
  cluster.kinds.refresh()
  const served = await cluster.kinds.all()
  const awaited: NamedObject[] = []
  for (const { object } of done) {
    const gvk = gvkOf(object)
    const kind = served.find(({ group, version, kind: name }) => group === gvk.group && version === gvk.version && name === gvk.kind)
    const { name = '', namespace } = object.metadata
    if (kind?.subresources.includes('status') === true && reportsOnItself(gvk)) awaited.push({ kind, name, namespace })
  }
  const problems = awaited.length === 0 ? [] : await waitForAll(cluster, awaited, WORKING, timeoutMs)
  if (problems.length > 0) throw new CommandFailure(problems.join('\nerror: '))
}

/** They have a status, and nobody writes into it whether they work: that shows on what uses them. */
const SILENT: ReadonlySet<string> = new Set(['Composition', 'ProviderConfig', 'ClusterProviderConfig'])

/** Of Kubernetes' own kinds only definitions say whether they work. */
const reportsOnItself = ({ group, kind }: GroupVersionKind): boolean =>
  group === 'apiextensions.k8s.io' || (group.includes('.') && !group.endsWith('.k8s.io') && !SILENT.has(kind))

/** Half of it was written: which half is the most important thing to say. Applying again is safe. */
function interrupted(error: unknown, done: readonly Applied[], manifests: readonly Manifest[]): unknown {
  if (done.length === 0) return error
  const applied = new Set(done.map(({ manifest }) => manifest))
  const missing = manifests.filter((manifest) => !applied.has(manifest)).map(({ object }) => formatName(object))
  const message = messageOf(error)
  return new CommandFailure(
    `${message}\n${done.length} of ${manifests.length} objects were applied; not applied: ${missing.join(', ')}. Correct it and apply again.`,
    { cause: error },
  )
}

function selected(manifests: readonly Manifest[], selector: string | undefined): readonly Manifest[] {
  if (selector === undefined) return manifests
  try {
    const requirements = parseLabelSelector(selector)
    const matching = manifests.filter(({ object }) => matchesLabels(requirements, object.metadata.labels))
    if (matching.length === 0) throw new CommandFailure(`no object in the files has the labels ${selector}`)
    return matching
  } catch (error) {
    if (error instanceof SelectorError) throw new CommandFailure(`-l ${selector}: ${error.message}`, { cause: error })
    throw error
  }
}

const printLine = ({ object, outcome }: Applied, suffix: string): unknown =>
  process.stdout.write(`${formatName(object)} ${outcome}${suffix}\n`)

async function print(applied: readonly Applied[], format: OutputFormat, suffix: string): Promise<void> {
  if (format.type === 'table') for (const each of applied) printLine(each, suffix)
  else
    process.stdout.write(
      await formatObjects(
        applied.map(({ object }) => object),
        format,
        { asList: applied.length !== 1 },
      ),
    )
}
