import { hasReason, type KubeObject, type ProviderPlan } from '@weft/api'
import { askPlans } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'
import { formatTable } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure, style } from '../../report.ts'
import { formatProviderChange } from '../plan/format-provider-plan.ts'
import { ADDRESS, IMPORTING } from './annotations.ts'
import type { Imported } from './manifests.ts'

export interface TakeOverOptions {
  readonly dryRun?: boolean
  readonly acceptChanges?: boolean
}

const AT_ONCE = 20
const ATTEMPTS = 10

/** Lets Weft manage what was imported. All are planned before any is handed over; what the provider would change stays observed unless that is accepted. */
export async function takeOver(cluster: Cluster, imported: readonly Imported[], options: TakeOverOptions): Promise<number> {
  const found = await Promise.all(imported.map((each) => existingOf(cluster, each)))
  const wanted = found.flatMap(({ existing }) => (existing === undefined || isManaged(existing) ? [] : [existing]))
  const plans = await withProgress('asking the providers', () => plansFor(cluster, wanted.map(managed)))
  const rows: string[][] = []
  let refused = 0
  for (const { each, existing, why } of found) {
    const plan = existing === undefined ? undefined : plans[wanted.indexOf(existing)]
    const verdict =
      existing === undefined ? { refuse: why ?? '' } : isManaged(existing) ? { text: 'managed already' } : verdictOf(plan, options)
    if ('refuse' in verdict) refused++
    else if (plan !== undefined && existing !== undefined && options.dryRun !== true) await handOver(cluster, each, existing)
    const text =
      'refuse' in verdict
        ? `not taken over: ${verdict.refuse}`
        : options.dryRun === true
          ? verdict.text.replace('taken', 'would be taken')
          : verdict.text
    rows.push([each.resource.address, each.kind.kind, each.object.metadata.name ?? '', text])
    if (plan !== undefined && plan.action !== 'unknown')
      for (const change of plan.fields) process.stderr.write(`${style('yellow', each.resource.address)}: ${formatProviderChange(change)}\n`)
  }
  process.stdout.write(formatTable([['ADDRESS', 'KIND', 'NAME', 'OUTCOME'], ...rows]))
  if (refused > 0)
    process.stderr.write(
      `${refused} of ${rows.length} stay observed only. Make spec.forProvider say what there is (weft edit), or accept changes in place with --accept-changes.\n`,
    )
  return refused === 0 ? 0 : 1
}

interface Found {
  readonly each: Imported
  readonly existing: KubeObject | undefined
  readonly why?: string
}

async function existingOf({ client }: Cluster, each: Imported): Promise<Found> {
  const { kind, object } = each
  const { name = '' } = object.metadata
  const existing = kind.active ? await client.find({ group: kind.group, kind: kind.kind }, { name }) : undefined
  if (existing === undefined) return { each, existing, why: 'it was not imported yet: run the same command without --take-over' }
  const { annotations = {} } = existing.metadata
  if (annotations[ADDRESS] !== object.metadata.annotations?.[ADDRESS])
    return { each, existing: undefined, why: `${kind.kind} ${name} is something else; give --prefix` }
  if (annotations[IMPORTING] === 'true')
    return { each, existing: undefined, why: 'its import was interrupted: run the same command without --take-over' }
  return { each, existing }
}

const policiesOf = (object: KubeObject): unknown =>
  (object['spec'] as { readonly managementPolicies?: unknown } | undefined)?.managementPolicies
const isManaged = (object: KubeObject): boolean => {
  const policies = policiesOf(object)
  return policies === undefined || (Array.isArray(policies) && policies.includes('*'))
}

/** As it would be. */
function managed(object: KubeObject): KubeObject {
  const { managementPolicies: _only, ...spec } = object['spec'] as Record<string, unknown>
  return { ...object, spec } as KubeObject
}

async function plansFor({ transport }: Cluster, resources: readonly KubeObject[]): Promise<readonly ProviderPlan[]> {
  const plans: ProviderPlan[] = []
  for (let at = 0; at < resources.length; at += AT_ONCE) {
    const some = await askPlans(transport, { resources: resources.slice(at, at + AT_ONCE) })
    if (some === undefined)
      throw new CommandFailure(
        'this server does not answer questions about Terraform providers: that requires a control plane started with `weft up --allow-provider-executables`',
      )
    plans.push(...some)
  }
  return plans
}

type Verdict = { readonly text: string } | { readonly refuse: string }

function verdictOf(plan: ProviderPlan | undefined, { acceptChanges = false }: TakeOverOptions): Verdict {
  if (plan === undefined) return { refuse: 'its provider did not answer' }
  switch (plan.action) {
    case 'none':
      return { text: 'taken over' }
    case 'update':
      return acceptChanges
        ? { text: `taken over; it is changed in ${paths(plan.fields)}` }
        : { refuse: `its provider would change ${paths(plan.fields)}` }
    case 'replace':
      return { refuse: `its provider would delete it and create it again, because of ${plan.causes.join(', ')}` }
    case 'create':
      return { refuse: 'it no longer exists: its provider would create it' }
    case 'unknown':
      return { refuse: plan.why }
    default:
      return plan satisfies never
  }
}

const paths = (fields: readonly { readonly path: string }[]): string => fields.map(({ path }) => path).join(', ')

/** What was planned is what is handed over: when somebody changed it in between, it is not. What was only observed of it since does not count. */
async function handOver({ client }: Cluster, { kind }: Imported, planned: KubeObject): Promise<void> {
  const { name = '', generation } = planned.metadata
  const which = { group: kind.group, kind: kind.kind }
  for (let attempt = 1; ; attempt++) {
    const { metadata } = await client.get(which, { name })
    if (metadata.generation !== generation)
      throw new CommandFailure(`${kind.kind} ${name} was changed while it was planned: run the same command again`)
    const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { managementPolicies: null } }
    try {
      await client.patch(which, { name }, { type: 'merge', body })
      return
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt === ATTEMPTS) throw error
    }
  }
}
