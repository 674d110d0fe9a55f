import type { JsonObject } from '@weft/api'
import { CLIENT_TOKEN, type CloudResource, type ConnectionDetails, type CreatedResource, type ResourcePage } from '../wire/resource.ts'
import type { CallOptions, TransportOptions } from './transport.ts'
import { Transport } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  readonly cloud: string
  readonly account: string
}

export interface CreateOptions extends CallOptions {
  /** Makes the create safe to repeat: the same token answers the resource that the first create made. */
  readonly clientToken?: string
}

export interface ChangeOptions extends CallOptions {
  /** Only if nobody has changed the parameters since; otherwise ConflictError `PreconditionFailed`. */
  readonly ifGeneration?: number
}

/**
 * One account of one simulated cloud. Every method rejects with a SimCloudError (see errors.ts) or, when `signal` aborts, with its
 * reason. Nothing is retried here: the caller knows whether that is wanted.
 */
export class SimCloudClient {
  readonly #transport: Transport
  readonly #account: readonly string[]

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
    this.#account = ['v1', options.cloud, options.account]
  }

  /** Answers as soon as the cloud has accepted it; the resource is CREATING then, unless it takes no time. */
  async create(kind: string, name: string, parameters: JsonObject, { clientToken, signal }: CreateOptions = {}): Promise<CreatedResource> {
    const headers = { [CLIENT_TOKEN]: clientToken }
    return (await this.#transport.call({
      method: 'POST',
      path: [...this.#account, kind, name],
      headers,
      body: { parameters },
      signal,
    })) as CreatedResource
  }

  async get(kind: string, name: string, { signal }: CallOptions = {}): Promise<CloudResource> {
    return (await this.#transport.call({ method: 'GET', path: [...this.#account, kind, name], signal })) as CloudResource
  }

  /** All of them, page by page. */
  async *list(kind: string, { limit, signal }: CallOptions & { readonly limit?: number } = {}): AsyncGenerator<CloudResource> {
    let pageToken: string | undefined
    do {
      const query = { limit: limit?.toString(), pageToken }
      const page = (await this.#transport.call({ method: 'GET', path: [...this.#account, kind], query, signal })) as ResourcePage
      yield* page.items
      pageToken = page.nextPageToken
    } while (pageToken !== undefined)
  }

  /** `patch` is merged into the parameters; null removes one. */
  async update(kind: string, name: string, patch: JsonObject, options: ChangeOptions = {}): Promise<CloudResource> {
    const path = [...this.#account, kind, name]
    const body = { parameters: patch }
    return (await this.#transport.call({ method: 'PATCH', path, headers: ifMatch(options), body, signal: options.signal })) as CloudResource
  }

  /** Answers when the deletion is accepted. It is over when `get` rejects with NotFoundError. */
  async delete(kind: string, name: string, options: ChangeOptions = {}): Promise<CloudResource> {
    const path = [...this.#account, kind, name]
    return (await this.#transport.call({ method: 'DELETE', path, headers: ifMatch(options), signal: options.signal })) as CloudResource
  }

  async connection(kind: string, name: string, { signal }: CallOptions = {}): Promise<ConnectionDetails> {
    return connectionOf(await this.#transport.call({ method: 'GET', path: [...this.#account, kind, name, 'connection'], signal }))
  }

  /** Replaces the passwords; answers the new connection details. */
  async rotate(kind: string, name: string, { signal }: CallOptions = {}): Promise<ConnectionDetails> {
    return connectionOf(await this.#transport.call({ method: 'POST', path: [...this.#account, kind, name, 'connection'], signal }))
  }
}

const ifMatch = ({ ifGeneration }: ChangeOptions): Record<string, string | undefined> => ({
  'if-match': ifGeneration === undefined ? undefined : `"${ifGeneration}"`,
})

const connectionOf = (body: unknown): ConnectionDetails => (body as { connection: ConnectionDetails }).connection
