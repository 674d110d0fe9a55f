import { hasReason, type KubeObject, type StatusReason, withMeta } from '@weft/api'
import { applyInParts, atOnce } from '../apply/index.ts'
import type { UserInfo } from '../auth/index.ts'
import {
  createObject,
  deleteObject,
  type DeleteOptions,
  fieldContext,
  type RegistryServices,
  type ResourceType,
  updateObject,
  type WriteContext,
} from '../registry/index.ts'

/** The server acting on its own behalf: same write path, admission included. */
export const SYSTEM_USER: UserInfo = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] }

/** A service of the server's own: started with it, stopped before its storage closes. */
export interface LifecycleService {
  stop(): Promise<void>
}

/** For `catch`: what a service does about an object may have been overtaken by somebody else's write, and then is no longer its business. */
export const unless =
  (...reasons: readonly StatusReason[]) =>
  (error: unknown): void => {
    if (!reasons.some((reason) => hasReason(error, reason))) throw error
  }

export class SystemWriter {
  readonly #services: RegistryServices
  readonly #manager: string

  constructor(services: RegistryServices, manager: string) {
    this.#services = services
    this.#manager = manager
  }

  async create(type: ResourceType, object: KubeObject): Promise<void> {
    await createObject(this.#services, this.#context(type, object.metadata.namespace ?? '', ''), object)
  }

  async update(
    type: ResourceType,
    { metadata }: Pick<KubeObject, 'metadata'>,
    subresource: string,
    transform: (live: KubeObject) => KubeObject,
  ): Promise<void> {
    await updateObject(this.#services, this.#context(type, metadata.namespace ?? '', subresource), metadata.name ?? '', { transform })
  }

  /**
   * Server-side apply, whoever owns the fields; `configure` answers undefined where the object is no longer what it was about.
   * Throws NotFound: what is not there is not made.
   */
  async apply(
    type: ResourceType,
    { metadata: { name = '', namespace = '' } }: Pick<KubeObject, 'metadata'>,
    subresource: string,
    configure: (live: KubeObject) => object | undefined,
  ): Promise<void> {
    const context: WriteContext = { ...this.#context(type, namespace, subresource), applied: true }
    await updateObject(this.#services, context, name, {
      transform: (live) => {
        const configuration = configure(live)
        if (configuration === undefined) return live
        const applied = { apiVersion: live.apiVersion, kind: live.kind, metadata: { name }, ...configuration } as KubeObject
        const result = atOnce(applyInParts({ ...fieldContext(this.#services, context), live, applied, kind: type.kind, force: true }))
        return withMeta(type.decode(result), { resourceVersion: live.metadata.resourceVersion })
      },
    })
  }

  async delete(type: ResourceType, { metadata }: Pick<KubeObject, 'metadata'>, options: DeleteOptions = {}): Promise<void> {
    await deleteObject(this.#services, this.#context(type, metadata.namespace ?? '', ''), metadata.name ?? '', options)
  }

  #context(type: ResourceType, namespace: string, subresource: string): WriteContext {
    return {
      type,
      subresource,
      namespace: type.namespaced ? namespace : '',
      user: SYSTEM_USER,
      dryRun: false,
      manager: this.#manager,
      options: {},
      warn: () => undefined,
    }
  }
}
