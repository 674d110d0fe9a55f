import type { Mapping } from '@weft/client'
import type { Cluster } from '../cluster/index.ts'
import { CommandFailure } from '../report.ts'
import { parseTargets } from './targets.ts'

/** An object that a command was told of; whether it exists is another question. */
export interface NamedObject {
  readonly kind: Mapping
  readonly name: string
  readonly namespace: string | undefined
}

export interface Choice {
  readonly selector?: string
  readonly fieldSelector?: string
  readonly all?: boolean
  readonly allNamespaces?: boolean
}

/** The objects that words name, or that a choice among those of a kind leaves. A kind alone means nothing: who wants all of it says so. */
export async function namedObjects(cluster: Cluster, words: readonly string[], choice: Choice): Promise<readonly NamedObject[]> {
  const targets = await parseTargets(words, cluster.kinds)
  const namespace = choice.allNamespaces === true ? undefined : cluster.namespace
  const selects = choice.selector !== undefined || choice.fieldSelector !== undefined
  const found = await Promise.all(
    targets.map(async ({ kind, names }) => {
      if (names !== undefined && (choice.all === true || selects))
        throw new CommandFailure('give either names, or --all or a selector, not both')
      if (names !== undefined) return names.map((name) => ({ kind, name, namespace: kind.namespaced ? cluster.namespace : undefined }))
      if (choice.all !== true && !selects) throw new CommandFailure(`name objects of ${kind.plural}, or choose them with -l or --all`)
      const { items } = await cluster.client.list(kind, { namespace, labels: choice.selector, fieldSelector: choice.fieldSelector })
      return items.map(({ metadata }) => ({ kind, name: metadata.name ?? '', namespace: metadata.namespace }))
    }),
  )
  return found.flat()
}
