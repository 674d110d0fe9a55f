import { hasReason, type KubeObject, type StatusReason } from '@weft/api'
import type { UserInfo } from '../auth/index.ts'
import {
  createObject,
  deleteObject,
  type DeleteOptions,
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
