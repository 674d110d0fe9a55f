/** The parts of a kubeconfig file that matter here. Names are the file's own. */
export interface KubeconfigFile {
  readonly 'current-context'?: string
  readonly clusters?: readonly { readonly name: string; readonly cluster?: ClusterEntry }[] | null
  readonly users?: readonly { readonly name: string; readonly user?: UserEntry | null }[] | null
  readonly contexts?: readonly { readonly name: string; readonly context?: ContextEntry }[] | null
}

export interface ClusterEntry {
  readonly server?: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'tls-server-name'?: string
  readonly 'proxy-url'?: string
}

export interface ContextEntry {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

export interface UserEntry {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-groups'?: readonly string[]
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>
  readonly exec?: {
    readonly apiVersion?: string
    readonly command?: string
    readonly args?: readonly string[] | null
    readonly env?: readonly { readonly name: string; readonly value: string }[] | null
    readonly installHint?: string
    readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always'
    readonly provideClusterInfo?: boolean
  }
  readonly 'auth-provider'?: { readonly name?: string }
}

/** An entry and the folder of the file it came from: its relative paths start there. */
export interface Located<T> {
  readonly entry: T
  readonly directory: string
}

export type KubeconfigErrorCode =
  | 'Unreadable'
  | 'Malformed'
  | 'NoContext'
  | 'NoCluster'
  | 'NoUser'
  | 'NoServer'
  | 'Unsupported'
  /** It would read files or run programs of this machine, and is not allowed to. */
  | 'Confined'
  | 'NotInCluster'

/** The configuration cannot be used. The message names the file and the entry, never a credential. */
export class KubeconfigError extends Error {
  readonly code: KubeconfigErrorCode

  constructor(code: KubeconfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KubeconfigError'
    this.code = code
  }
}
