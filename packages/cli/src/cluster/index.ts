export { type Cluster, FIELD_MANAGER, withCluster } from './cluster.ts'
export { type ClusterOptions, withClusterOptions } from './cluster-options.ts'
export { findKind, type KindCatalog } from './kind-catalog.ts'
