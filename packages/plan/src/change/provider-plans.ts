import { formatGroupKind, getOwn, gvkOf, hasReason, isJsonObject, type KubeObject, type ProviderPlan, specOf } from '@weft/api'
import { askPlans, type Client } from '@weft/client'
import { destroyedWith, withUnknown } from './compare.ts'
import { KNOWN_AFTER_APPLY, type PlannedChange } from './plan.ts'
import type { Snapshot } from './snapshot.ts'

/** On definitions of kinds that a Terraform provider stands behind. */
const TYPE_ANNOTATION = 'terraform.weft.dev/type'
/** What a server makes up ends like this in a plan. */
const GENERATED = '(generated'
const AT_ONCE = 50

/**
 * The changes, with what the providers of managed resources would do about them where those can be asked: kinds of Terraform providers plan before they
 * act. Nothing is written, and nothing real is changed. Where nobody answers, a warning says so: nothing is guessed.
 */
export async function withProviderPlans(
  client: Client,
  changes: readonly PlannedChange[],
  { after, signal }: { readonly after: Snapshot; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly changes: readonly PlannedChange[]; readonly warnings: readonly string[] }> {
  const kinds = plannedKinds(after)
  const isAsked = ({ action, after: object }: PlannedChange): boolean =>
    (action === 'create' || action === 'update') && object !== undefined && kinds.has(formatGroupKind(gvkOf(object)))
  const asked = changes.filter(isAsked)
  if (asked.length === 0) return { changes, warnings: [] }
  const answers = await answersFor(client, asked, signal)
  if (typeof answers === 'string') {
    const names = asked.map(({ object }) => `${object.kind} ${object.name}`)
    const listed = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
    return { changes, warnings: [`what the providers would do about ${listed} is not known: ${answers}`] }
  }
  const plans = new Map(asked.map((change, i) => [change, answers[i]]))
  return {
    changes: changes.map((change) => {
      const provider = plans.get(change)
      if (provider === undefined) return change
      const destroys = provider.action === 'replace' && change.before !== undefined ? destroyedWith(change.before) : undefined
      return { ...change, provider, ...(destroys !== undefined && { destroys }) }
    }),
    warnings: asked.flatMap((change, i) => {
      const plan = answers[i]
      return plan === undefined || plan.action === 'unknown'
        ? []
        : plan.warnings.map((text) => `${change.object.kind} ${change.object.name}: its provider warns: ${text}`)
    }),
  }
}

/** In their order, or why there are none. */
async function answersFor(
  { transport }: Client,
  asked: readonly PlannedChange[],
  signal: AbortSignal | undefined,
): Promise<readonly ProviderPlan[] | string> {
  const answers: ProviderPlan[] = []
  try {
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      const resources = asked.slice(at, at + AT_ONCE).map(({ after }) => withUnknown(after as KubeObject))
      const some = await askPlans(transport, { resources, unknown: [KNOWN_AFTER_APPLY, GENERATED] }, { signal })
      if (some === undefined) return 'this server does not ask them'
      answers.push(...some)
    }
    return answers
  } catch (error) {
    if (!hasReason(error, 'Forbidden')) throw error
    return 'you may not have them asked, which requires the right to post to /weft/terraform/plan'
  }
}

/** Kinds whose provider plans. */
function plannedKinds(snapshot: Snapshot): ReadonlySet<string> {
  const kinds = new Set<string>()
  for (const object of snapshot.values()) {
    if (object.kind !== 'ManagedResourceDefinition' || object.metadata.annotations?.[TYPE_ANNOTATION] === undefined) continue
    const spec = specOf(object)
    const [group, names] = [getOwn(spec, 'group'), getOwn(spec, 'names')]
    const kind = isJsonObject(names) ? getOwn(names, 'kind') : undefined
    if (typeof group === 'string' && typeof kind === 'string') kinds.add(formatGroupKind({ group, kind }))
  }
  return kinds
}
