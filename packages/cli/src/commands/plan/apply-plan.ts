import { parseGroupVersion } from '@weft/api'
import { planChange } from '@weft/plan'
import { type Cluster, type ClusterOptions, withCluster } from '../../cluster/index.ts'
import type { Manifest } from '../../manifests/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure, style } from '../../report.ts'
import { differencesOf, readSavedPlan, type SavedPlan } from './saved-plan.ts'
import { programsAt } from './programs-at.ts'

/** At most so many differences are told. */
const TOLD = 10

/**
 * Carries out a plan that was saved, and nothing but that: the change is planned once more, and refused when the plan would be another today.
 * `carryOut` writes the objects.
 */
export async function applyPlan(
  file: string,
  options: ClusterOptions,
  carryOut: (cluster: Cluster, saved: SavedPlan, manifests: readonly Manifest[]) => Promise<number>,
): Promise<number> {
  const saved = await readSavedPlan(file)
  const { namespace = saved.namespace } = options
  if (namespace !== saved.namespace)
    throw new CommandFailure(
      `${file} was planned in namespace ${saved.namespace}, but -n says ${namespace}: leave -n out, or make a new plan`,
    )
  return withCluster({ ...options, namespace }, async (opened) => {
    // The namespace of the plan is for objects that name none; those of other namespaces are in it on purpose.
    const cluster = { ...opened, namespaceIsExplicit: false }
    if (cluster.server !== saved.server)
      throw new CommandFailure(
        `${file} was planned for ${saved.server}, and this is ${cluster.server}: choose the cluster with --kubeconfig or --context`,
      )
    await refuseIfMoved(file, saved, cluster)
    for (const warning of saved.plan.warnings) process.stderr.write(`${style('yellow', 'warning')}: ${warning}\n`)
    for (const { apiVersion, kind, namespace, name } of saved.change.delete ?? []) {
      const mapping = await cluster.client.mapping({ ...parseGroupVersion(apiVersion), kind })
      await cluster.client.delete(mapping, { name, namespace })
      process.stdout.write(`${kind.toLowerCase()}${mapping.group === '' ? '' : `.${mapping.group}`} "${name}" deleted\n`)
    }
    const manifests = (saved.change.apply ?? []).map((object): Manifest => ({
      object,
      source: { file, line: 1 },
      locate: () => ({ line: 1, column: 1 }),
    }))
    return manifests.length === 0 ? 0 : carryOut(cluster, saved, manifests)
  })
}

async function refuseIfMoved(
  file: string,
  { change, fieldManager, forceConflicts, namespace, plan, madeAt }: SavedPlan,
  cluster: Cluster,
): Promise<void> {
  const now = await withProgress('checking that the plan is still valid', () =>
    planChange(cluster.client, change, {
      fieldManager,
      force: forceConflicts,
      namespace,
      reader: cluster.quiet,
      programs: programsAt(cluster.server),
    }),
  )
  const differences = differencesOf(plan, now)
  if (differences.length === 0) return
  const more = differences.length > TOLD ? [`and ${differences.length - TOLD} more`] : []
  throw new CommandFailure(
    `things have changed since ${file} was made (${madeAt}); nothing was applied:\n  ${[...differences.slice(0, TOLD), ...more].join('\n  ')}\nCreate a new plan with \`weft diff --out\`, and review it.`,
  )
}
