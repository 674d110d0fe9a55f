import type { GroupKind } from '@weft/api'

/**
 * What a reference field of a kind points at. Providers ship these as data; the core knows no kinds.
 */
export interface ReferenceTarget {
  /**
   * The field X: a bare name (`network`), which holds at any depth, or a path from the spec (`properties.virtualNetworkSubnetId`,
   * `nodePools[*].network`). A path wins over a name.
   */
  readonly field: string
  /** Any of these kinds may be meant (B10: `serverName` is an SQLServer or a MySQLServer). */
  readonly kinds: readonly GroupKind[]
  /** X is a list, filled from several objects. */
  readonly many?: boolean
  /** The name of X, when it does not follow from `XRef` (`subnetIdRefs` → `subnetIds` does). */
  readonly valueField?: string
  /**
   * The field of the target's `status.atProvider` that X is, for kinds that are known by several things (an id, an ARN). Absent: its external name.
   * While the target does not say it yet, X waits.
   */
  readonly attribute?: string
}
