import type { KubeObject } from '@weft/api'
import type { Client, ClientOptions, Transport } from '@weft/client'

/** Whom a request comes from. */
export interface TestUser {
  readonly username: string
  readonly groups: readonly string[]
}

/** An API server for one test: the embedded one, or a real kube-apiserver where the test runner names some. */
export interface TestServer {
  /** As the administrator. */
  readonly client: Client
  readonly transport: Transport
  /** What went wrong in the background; a test that ends with some has found a bug. */
  readonly errors: readonly string[]
  /** A transport as somebody else. */
  transportAs(user: TestUser): Transport
  clientAs(user: TestUser, options?: Partial<ClientOptions>): Client
  /** Serves HTTPS too, on a free port unless told, and answers an administrator's kubeconfig. */
  listen(port?: number): Promise<{ readonly address: string; readonly kubeconfig: string; readonly front: Listening }>
  close(): Promise<void>
}

/** A port that is served; those who are connected are given this long to end. */
export interface Listening {
  close(graceMs?: number): Promise<void>
}

export interface TestServerOptions {
  /** Custom kinds that it serves from the beginning. */
  readonly kinds?: readonly KubeObject[]
  readonly now?: () => number
  readonly random?: () => number
}

export const ADMINISTRATOR: TestUser = { username: 'test-admin', groups: ['system:masters', 'system:authenticated'] }
