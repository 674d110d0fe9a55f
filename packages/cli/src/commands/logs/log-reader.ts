export interface LogsOptions {
  readonly kubeconfig?: string
  readonly context?: string
  /** Absent: that of the kubeconfig in use. */
  readonly dataDir?: string
  readonly follow?: boolean
  readonly tail?: number
}

/** Where lines go, and what ends a command that follows. */
export interface LogReader {
  readonly write: (text: string) => void
  readonly stopped: () => Promise<unknown>
}
