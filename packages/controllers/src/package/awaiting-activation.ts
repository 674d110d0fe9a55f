import type { Condition, KubeObject } from '@weft/api'
import type { Client, InformerReader, Kind } from '@weft/client'
import { conditionOf } from '@weft/composition'
import type { Package } from '@weft/xpkg'
import { activationPolicyKind, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { matcherFor } from '../managed-definition/activation.ts'
import type { RevisionObject } from './kinds.ts'
import { activatesLate, isDefinition, renderObjects } from './render-objects.ts'
import { areAskedAbout } from './webhooks.ts'

/** Of a revision with a program, as Crossplane calls it: whether that is to run, or waits for one of its kinds to be activated. */
export const RUNTIME_ACTIVE = 'RuntimeActive'
const ACTIVE_RUNTIME = 'ActiveRuntime'
export const AWAITING_ACTIVATION = 'AwaitingActivation'

interface Installed {
  readonly revision: RevisionObject
  readonly contents: Package
  readonly cached: <T extends KubeObject>(kind: Kind<T>) => InformerReader<T>
  readonly client: Client
}

/**
 * Why the program of a provider need not run yet, in one sentence: it can wait for its kinds (safe start), none of them is active, and no policy is about to activate one. Undefined:
 * it is to run. So it is when it was before, since nothing is ever deactivated, and when the server calls it about kinds that are served already, such as its ProviderConfigs.
 */
export async function whyAwaiting({ revision, contents, cached, client }: Installed): Promise<string | undefined> {
  if (contents.type !== 'Provider' || !activatesLate(contents) || isRuntimeActive(revision)) return undefined
  const rendered = renderObjects(contents)
  const definitions = rendered.filter(isDefinition)
  const [first] = definitions
  if (first === undefined || areAskedAbout(rendered.filter((object) => !isDefinition(object)))) return undefined
  const live = cached(managedResourceDefinitionKind)
  // One that is not in memory yet was just written, and is heard of when it is activated.
  const isActive = ({ metadata: { name = '' } }: KubeObject): boolean => live.get({ name })?.spec.state === 'Active'
  if (definitions.some(isActive)) return undefined
  const policies = await client.list(activationPolicyKind)
  if (policies.items.some(({ spec }) => definitions.some(matcherFor(spec.activate)))) return undefined
  return `the program starts when one of its kinds (${definitions.length}) is activated: name it in a ManagedResourceActivationPolicy, or set spec.state of its ManagedResourceDefinition, such as ${first.metadata.name ?? ''}, to Active`
}

export const isRuntimeActive = (revision: RevisionObject): boolean => conditionOf(revision, RUNTIME_ACTIVE)?.reason === ACTIVE_RUNTIME

export const runtimeActive: Condition = { type: RUNTIME_ACTIVE, status: 'True', reason: ACTIVE_RUNTIME }
