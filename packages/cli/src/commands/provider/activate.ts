import type { KubeObject } from '@weft/api'
import { activationPolicyKind, managedResourceDefinitionKind } from '@weft/controllers'
import { type Cluster, type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatDuration } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { conditionOf } from '../package/package-object.ts'
import { waitForObject } from '../wait/wait-for-object.ts'
import { findProvider, type OfferedKind, offeredKinds } from './terraform-provider.ts'

export interface ActivateOptions extends ClusterOptions {
  readonly timeout: number
}

export const activate = (name: string, asked: readonly string[], options: ActivateOptions): Promise<number> =>
  withCluster(options, async (cluster) => {
    await findProvider(cluster.client, name)
    const kinds = await offeredKinds(cluster.client, name)
    return activateKinds(cluster, { name, kinds, asked: asked.flatMap((each) => each.split(',')), timeoutMs: options.timeout })
  })

interface Activation {
  /** Of the Provider, and of the policy that activates its kinds. */
  readonly name: string
  readonly kinds: readonly OfferedKind[]
  readonly asked: readonly string[]
  readonly timeoutMs: number
}

/** Adds the kinds to the provider's policy, and waits until they are served. */
export async function activateKinds(cluster: Cluster, { name, kinds, asked, timeoutMs }: Activation): Promise<number> {
  const { client } = cluster
  const chosen = asked.includes('*') ? kinds : asked.map((each) => chosenKind(kinds, each, name))
  const patterns = asked.includes('*') ? [...new Set(kinds.map(({ group }) => `*.${group}`))] : chosen.map(({ definition }) => definition)
  const before = await client.find(activationPolicyKind, { name })
  const policy: KubeObject = {
    apiVersion: `${activationPolicyKind.group}/${activationPolicyKind.version}`,
    kind: activationPolicyKind.kind,
    metadata: { name },
    spec: { activate: [...new Set([...(before?.spec.activate ?? []), ...patterns])].toSorted() },
  }
  await client.apply(policy, { force: true })
  const signal = AbortSignal.timeout(timeoutMs)
  const mapping = await client.mapping(managedResourceDefinitionKind)
  for (const { kind, definition, group } of chosen) {
    let last: KubeObject | undefined
    const isServed = (object: KubeObject | undefined): boolean => conditionOf((last = object), 'Established')?.status === 'True'
    const met = await withProgress(`activating ${kind}`, () =>
      waitForObject(cluster, { kind: mapping, name: definition, namespace: undefined }, isServed, { signal }),
    )
    if (!met)
      throw new CommandFailure(
        `${kind}.${group} is not served after ${formatDuration(timeoutMs)}: ${conditionOf(last, 'Established')?.message ?? 'no controller has looked at it yet'}`,
      )
  }
  process.stdout.write(`active: ${chosen.map(({ kind }) => kind).join(', ')}\n`)
  return 0
}

function chosenKind(kinds: readonly OfferedKind[], text: string, provider: string): OfferedKind {
  const wanted = text.trim().toLowerCase()
  const found = kinds.find(({ kind, type, definition }) =>
    [kind, type, definition, definition.split('.')[0]].some((each) => each?.toLowerCase() === wanted),
  )
  if (found !== undefined) return found
  const similar = kinds.filter(({ kind, type }) => kind.toLowerCase().includes(wanted) || type.includes(wanted)).slice(0, 5)
  const hint =
    similar.length === 0 ? `weft provider kinds ${provider} lists them` : `did you mean ${similar.map(({ kind }) => kind).join(', ')}?`
  throw new CommandFailure(`Provider ${provider} has no kind or type ${JSON.stringify(text)}; ${hint}`)
}
