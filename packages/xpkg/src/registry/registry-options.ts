import type { Bundle } from '../bundle/open-bundle.ts'
import type { CredentialSource } from './credentials.ts'

/** How registries are spoken to. */
export interface RegistryOptions {
  readonly credentials?: CredentialSource | undefined
  /** Registries (`host[:port]`) that are spoken to without TLS. Those on this machine always may be. */
  readonly plainHttp?: readonly string[] | undefined
  /** What these hold is read from them; the registries of those packages are not asked. */
  readonly bundles?: readonly Bundle[] | undefined
  /** The whole operation ends then, whatever the registry does. Default: two minutes. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** PEM public keys. With one or more, an image must carry a signature by one of them; see docs/packages.md. */
  readonly publicKeys?: readonly string[] | undefined
}
