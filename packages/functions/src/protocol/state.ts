import type { Struct } from './struct.ts'

/** Whether a resource is ready. Unspecified, as every zero of the protocol, is absent. */
export type Ready = 'READY_TRUE' | 'READY_FALSE'

export interface Resource {
  /** The whole Kubernetes object. */
  readonly resource?: Struct
  /** Values are base64. */
  readonly connectionDetails?: Readonly<Record<string, string>>
  /** Only desired resources have one. */
  readonly ready?: Ready
}

/** Of a composite and its composed resources, by resource name: as they are (observed), or as they should be (desired). */
export interface State {
  readonly composite?: Resource
  readonly resources?: Readonly<Record<string, Resource>>
}
