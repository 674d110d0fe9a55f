export interface KubernetesBinaries {
  apiserver: string
  controllerManager: string
  kubectl: string
  etcd: string
  /** For example v1.36.3. */
  version: string
}

/** Builds on first use; `skipped` tells why this machine cannot. */
export function ensureKubernetes(): Promise<KubernetesBinaries | { skipped: string }>
