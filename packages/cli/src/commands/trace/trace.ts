import { formatGroupVersion } from '@weft/api'
import type { ServedKind } from '@weft/client'
import type { TraceNode, TraceRef } from '@weft/composition'
import { ownersOf, traceObject } from '@weft/plan'
import { type Cluster, type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatJson } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { parseSingleTarget } from '../../selection/targets.ts'
import { anyChange } from './any-change.ts'
import { formatDot, formatTree, type TreeOptions } from './format-trace.ts'
import { idleKinds } from './idle-kinds.ts'
import { nearby } from './nearby.ts'
import { fetchFrom, readOnce, type Seen } from './traced-tree.ts'

export interface TraceOptions extends ClusterOptions {
  readonly watch?: boolean
  readonly output?: 'wide' | 'json' | 'dot'
}

export function trace(words: readonly string[], options: TraceOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const { kind, ref } = await rootOf(words, cluster)
    let shown = ''
    for (;;) {
      const seen: Seen = new Map()
      const fetch = readOnce(fetchFrom(cluster.client), seen)
      const node = await traceObject(fetch, ref)
      if (node.state === 'missing' && options.watch !== true)
        throw new CommandFailure(`${node.why ?? 'it does not exist'}: ${await nearby(cluster, kind, ref.name)}`)
      if (node.state === 'hidden') throw new CommandFailure(`${node.why ?? ''}: ask for the right to get it`)
      const owners = await ownersOf(fetch, ref)
      const notes = isTree(options) ? await idleKinds(cluster, node) : []
      const text = format(node, { owners, notes }, options)
      // An object may change in what is not shown.
      if (text !== shown) process.stdout.write(`${shown !== '' && isTree(options) ? '\n' : ''}${text}`)
      shown = text
      if (options.watch !== true) return 0
      await anyChange(cluster.client, { node, seen })
    }
  })
}

async function rootOf(
  words: readonly string[],
  { kinds, namespace }: Cluster,
): Promise<{ readonly kind: ServedKind; readonly ref: TraceRef }> {
  const { kind, name } = await parseSingleTarget(words, kinds)
  return { kind, ref: { apiVersion: formatGroupVersion(kind), kind: kind.kind, ...(kind.namespaced && { namespace }), name } }
}

const isTree = ({ output }: TraceOptions): boolean => output === undefined || output === 'wide'

function format(node: TraceNode, around: Omit<TreeOptions, 'wide'>, { output }: TraceOptions): string {
  if (output === 'json') return formatJson(node)
  return output === 'dot' ? formatDot(node) : formatTree(node, { ...around, wide: output === 'wide', columns: process.stdout.columns })
}
