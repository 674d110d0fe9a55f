import type { KubeObject } from '@weft/api'
import type { Front, UserInfo } from '@weft/apiserver'
import type { Client, ClientOptions, Transport } from '@weft/client'

/** An API server for one test: the embedded one, or a real kube-apiserver where the test runner names some. */
export interface TestServer {
  /** As the administrator. */
  readonly client: Client
  readonly transport: Transport
  /** What went wrong in the background; a test that ends with some has found a bug. */
  readonly errors: readonly string[]
  /** A transport as somebody else. */
  transportAs(user: UserInfo): Transport
  clientAs(user: UserInfo, options?: Partial<ClientOptions>): Client
  /** Serves HTTPS too, on a free port unless told, and answers an administrator's kubeconfig. */
  listen(port?: number): Promise<{ readonly address: string; readonly kubeconfig: string; readonly front: Pick<Front, 'close'> }>
  close(): Promise<void>
}

export interface TestServerOptions {
  /** Custom kinds that it serves from the beginning. */
  readonly kinds?: readonly KubeObject[]
  readonly now?: () => number
  readonly random?: () => number
}

export const ADMINISTRATOR: UserInfo = { username: 'test-admin', groups: ['system:masters', 'system:authenticated'] }
