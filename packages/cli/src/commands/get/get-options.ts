import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import type { Target } from '../../selection/targets.ts'
import type { TableQuery } from './table-source.ts'

export interface GetOptions extends ClusterOptions {
  readonly allNamespaces?: boolean
  readonly selector?: string
  readonly fieldSelector?: string
  readonly output?: string
  readonly watch?: boolean
  readonly watchOnly?: boolean
  readonly outputWatchEvents?: boolean
  readonly sortBy?: string
  readonly showLabels?: boolean
  readonly labelColumns?: readonly string[]
  readonly headers: boolean
  readonly showKind?: boolean
  readonly showManagedFields?: boolean
  readonly ignoreNotFound?: boolean
  readonly filename?: readonly string[]
  readonly recursive?: boolean
}

/** What to ask the server for. */
export function queryOf(cluster: Cluster, { names }: Target, options: GetOptions): TableQuery {
  const everywhere = options.allNamespaces === true
  if (everywhere && names !== undefined) throw new CommandFailure('an object is named within one namespace: use -n instead of -A')
  return {
    namespace: everywhere ? undefined : cluster.namespace,
    labelSelector: options.selector,
    fieldSelector: options.fieldSelector,
    includeObject: options.sortBy === undefined ? 'Metadata' : 'Object',
  }
}
