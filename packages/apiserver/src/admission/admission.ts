import type { KubeObject } from '@weft/api'
import type { UserInfo } from '../auth/index.ts'
import type { ResourceType } from '../registry/resource-type.ts'

/** What is about to happen, as every admission plug-in sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly type: ResourceType
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Absent for DELETE. */
  readonly object?: KubeObject
  /** Absent for CREATE. */
  readonly oldObject?: KubeObject
  readonly user: UserInfo
  readonly dryRun: boolean
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as an object. */
  readonly options: Readonly<Record<string, unknown>>
  /** Sends a `Warning` header to the client. */
  warn(text: string): void
}

/**
 * One step of admission. Plug-ins run in the order of the chain: all `mutate` steps, then the object is validated,
 * then all `validate` steps. A plug-in refuses by throwing a StatusError. Neither step may write the object it is given;
 * `mutate` answers the object to go on with (the same reference for "no change").
 * A step that answers without a promise costs the hot path nothing.
 */
export interface AdmissionPlugin {
  readonly name: string
  mutate?(request: AdmissionRequest): KubeObject | undefined | Promise<KubeObject | undefined>
  validate?(request: AdmissionRequest): void | Promise<void>
}

export interface Admission {
  mutate(request: AdmissionRequest): Promise<KubeObject | undefined>
  validate(request: AdmissionRequest): Promise<void>
}

export function createAdmission(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    async mutate(request) {
      let object = request.object
      for (const plugin of plugins) {
        if (plugin.mutate === undefined) continue
        const answer = plugin.mutate(object === request.object || object === undefined ? request : { ...request, object })
        object = answer instanceof Promise ? await answer : answer
      }
      return object
    },
    async validate(request) {
      for (const plugin of plugins) {
        const answer = plugin.validate?.(request)
        if (answer instanceof Promise) await answer
      }
    },
  }
}
