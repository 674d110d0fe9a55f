export interface Kubernetes {
  /** https://127.0.0.1:port */
  server: string
  kubeconfigPath: string
  /** PEM. */
  ca: string
  /** Bearer token of a member of system:masters. */
  adminToken: string
  kubectlPath: string
  version: string
  /** The temporary folder, with one log per process. */
  dir: string
  pids: { etcd: number; apiserver: number; controllerManager?: number }
  /** From the start of etcd until everything asked for is ready. */
  startMs: number
  stop(): Promise<void>
}

export function startKubernetes(options?: {
  /** Parent of the temporary folder. */
  dir?: string
  /** Also run the controllers: garbage collection, namespace deletion, service accounts. */
  controllerManager?: boolean
  /** Let etcd fsync, as in production: what a benchmark must compare with. */
  durable?: boolean
}): Promise<Kubernetes>
