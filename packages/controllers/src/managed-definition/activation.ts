import { type Condition, hasReason, isPaused, messageOf } from '@weft/api'
import type { Change, Client } from '@weft/client'
import { type ControllerSpec, done, generationChanged, type ReconcileContext, requeueAfter, type Result, watch } from '@weft/runtime'
import { withStatus } from '../binding/conditions.ts'
import { withFinalizer } from '../binding/finalizers.ts'
import { DEFINITION_FINALIZER } from '../definition/definition.ts'
import {
  activationPolicyKind,
  type ManagedResourceActivationPolicy,
  type ManagedResourceDefinition,
  managedResourceDefinitionKind,
} from '../definition/kinds.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { isActive } from './managed-definition.ts'
import { compilePatterns, namedPatterns } from './pattern.ts'
import { ACTIVATION_ANNOTATION, BY_NAME } from './schema-source.ts'

const NAME = 'activation'
/** Definitions activated at a time. */
const AT_ONCE = 8
/**
 * A policy's status lists all it activated. While definitions keep coming, it is written at most this often: writing a list of two thousand names
 * for each of them would cost more than activating them.
 */
const STATUS_EVERY_MS = 250
/** After a lost race, until the winner's change has arrived. */
const RACED_MS = 50
/** Names in the message of an event. */
const NAMED = 5

/**
 * Activates what policies name. Any change of a policy, and any definition that comes, leads to one pass over the definitions in memory (M7);
 * since nothing is ever deactivated (M4, M8), the union over all policies is each policy doing its own part.
 */
export function activationController(services: DefinitionServices): ControllerSpec<ManagedResourceActivationPolicy> {
  const compiled = new WeakMap<ManagedResourceActivationPolicy, Matcher>()
  const matcherOf = (policy: ManagedResourceActivationPolicy): Matcher => {
    let matcher = compiled.get(policy)
    if (matcher === undefined) compiled.set(policy, (matcher = matcherFor(policy.spec.activate)))
    return matcher
  }
  const events = services.recorder(NAME)
  const writtenAt = new Map<string, number>()

  const reconcile = async (
    name: string,
    { primary, cached, client }: ReconcileContext<ManagedResourceActivationPolicy>,
  ): Promise<Result> => {
    const policy = primary.get({ name })
    // M8: what a policy activated stays when it goes.
    if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) {
      writtenAt.delete(name)
      return done
    }
    if (isPaused(policy)) return done
    const matches = matcherOf(policy)
    const definitions = cached(managedResourceDefinitionKind)
      .list()
      .filter((definition) => definition.metadata.deletionTimestamp === undefined && matches(definition))
    const { activated, failures, raced } = await activateAll(
      client,
      definitions.filter((definition) => !isActive(definition)),
    )
    if (activated.length > 0) events.normal(policy, 'ActivateManagedResourceDefinition', `activated ${listNames(activated)}`)
    for (const { message } of failures.slice(0, NAMED)) events.warning(policy, 'ActivateManagedResourceDefinition', message)
    const now = services.clock.now()
    const wait = (writtenAt.get(name) ?? 0) + STATUS_EVERY_MS - now
    if (wait > 0 && failures.length === 0) return requeueAfter(wait)
    const justNow = new Set(activated)
    const active = definitions
      .filter((definition) => isActive(definition) || justNow.has(definition.metadata.name ?? ''))
      .map(({ metadata }) => metadata.name ?? '')
    const next = withStatus(policy, {
      conditions: [health(failures)],
      fields: { activated: active.toSorted(), activatedCount: active.length },
      nowMs: now,
    })
    if (next !== policy) {
      await client.updateStatus(next)
      writtenAt.set(name, now)
    }
    // The policy says what is wrong; trying again is the queue's.
    if (failures[0] !== undefined) throw failures[0].error
    return raced ? requeueAfter(RACED_MS) : done
  }
  return {
    name: NAME,
    kind: activationPolicyKind,
    predicate: generationChanged,
    watches: [
      watch<ManagedResourceDefinition, ManagedResourceActivationPolicy>({
        kind: managedResourceDefinitionKind,
        predicate: concernsPolicies,
        map: (definition, policies) =>
          policies.list().flatMap((policy) => (matcherOf(policy)(definition) ? [{ name: policy.metadata.name ?? '' }] : [])),
      }),
    ],
    reconcile: (request, context) => reconcile(request.name, context),
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
}

type Matcher = (definition: ManagedResourceDefinition) => boolean

/** Which definitions a policy means. Those that are to be activated by name only are not meant by `*`: a provider may bring thousands of them. */
export function matcherFor(patterns: readonly string[]): Matcher {
  const [all, named] = [compilePatterns(patterns), compilePatterns(namedPatterns(patterns))]
  return ({ metadata: { name = '', annotations } }) => (annotations?.[ACTIVATION_ANNOTATION] === BY_NAME ? named(name) : all(name))
}

/** Whether a definition is there and active; nothing else about it concerns a policy. */
function concernsPolicies(change: Change<ManagedResourceDefinition>): boolean {
  return (
    change.type !== 'updated' ||
    change.object.spec.state !== change.previous.spec.state ||
    change.object.metadata.deletionTimestamp !== change.previous.metadata.deletionTimestamp
  )
}

interface Failure {
  readonly message: string
  readonly error: unknown
}

async function activateAll(
  client: Client,
  inactive: readonly ManagedResourceDefinition[],
): Promise<{ activated: readonly string[]; failures: readonly Failure[]; raced: boolean }> {
  const activated: string[] = []
  let raced = false
  const failures: Failure[] = []
  for (let i = 0; i < inactive.length; i += AT_ONCE)
    await Promise.all(
      inactive.slice(i, i + AT_ONCE).map(async (definition) => {
        const name = definition.metadata.name ?? ''
        try {
          await activate(client, definition)
          activated.push(name)
        } catch (error) {
          if (hasReason(error, 'NotFound')) return
          // Written meanwhile, by its own controller for one: such changes do not concern policies and bring nobody back here.
          if (hasReason(error, 'Conflict')) {
            raced = true
            return
          }
          failures.push({ message: `cannot activate ${name}: ${messageOf(error)}`, error })
        }
      }),
    )
  return { activated, failures, raced }
}

/** State and finalizer in one write: an active definition always has both. */
async function activate(client: Client, definition: ManagedResourceDefinition): Promise<void> {
  const marked = withFinalizer(definition, DEFINITION_FINALIZER)
  const { resourceVersion, finalizers } = marked.metadata
  const body = { metadata: { resourceVersion, finalizers }, spec: { state: 'Active' } }
  await client.patch(managedResourceDefinitionKind, { name: definition.metadata.name ?? '' }, { type: 'merge', body })
}

const health = (failures: readonly Failure[]): Condition =>
  failures.length === 0
    ? { type: 'Healthy', status: 'True', reason: 'Running' }
    : {
        type: 'Healthy',
        status: 'Unknown',
        reason: 'EncounteredErrors',
        message: failures
          .slice(0, NAMED)
          .map(({ message }) => message)
          .join('; '),
      }

function listNames(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.toSorted().slice(0, NAMED).join(', ')}${more}`
}
