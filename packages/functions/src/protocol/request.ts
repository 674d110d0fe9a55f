import type { Resource, State } from './state.ts'
import type { Struct } from './struct.ts'

/** What the caller can do, so that a function need not guess from its version. */
export type Capability =
  | 'CAPABILITY_CAPABILITIES'
  | 'CAPABILITY_REQUIRED_RESOURCES'
  | 'CAPABILITY_CREDENTIALS'
  | 'CAPABILITY_CONDITIONS'
  | 'CAPABILITY_REQUIRED_SCHEMAS'

/** Everything that a caller who follows this protocol wholly can do. */
export const CAPABILITIES: readonly Capability[] = [
  'CAPABILITY_CAPABILITIES',
  'CAPABILITY_REQUIRED_RESOURCES',
  'CAPABILITY_CREDENTIALS',
  'CAPABILITY_CONDITIONS',
  'CAPABILITY_REQUIRED_SCHEMAS',
]

export interface RequestMeta {
  /** The same for requests that are equal: a function's answer may be kept under it. */
  readonly tag?: string
  readonly capabilities?: readonly Capability[]
}

/** What was found for one requirement. Without items: looked for, and there is none. */
export interface Resources {
  readonly items?: readonly Resource[]
}

export interface Credentials {
  readonly credentialData?: {
    /** Values are base64. */
    readonly data?: Readonly<Record<string, string>>
  }
}

/** Without `openapiV3`: looked for, and there is none. */
export interface Schema {
  readonly openapiV3?: Struct
}

/**
 * What a function is asked: RunFunctionRequest of the function protocol in the shape of its JSON form. Names are camelCase, enums
 * go by name, Structs are plain objects, bytes are base64, durations are text ("60s"), and what is unset or zero is absent.
 */
export interface RunFunctionRequest {
  readonly meta?: RequestMeta
  readonly observed?: State
  /** What earlier steps want. A function passes on what it does not change: what it drops is gone. */
  readonly desired?: State
  readonly input?: Struct
  readonly context?: Struct
  /** What `requirements.extraResources` asked for: the older spelling of `requiredResources`. */
  readonly extraResources?: Readonly<Record<string, Resources>>
  readonly credentials?: Readonly<Record<string, Credentials>>
  readonly requiredResources?: Readonly<Record<string, Resources>>
  readonly requiredSchemas?: Readonly<Record<string, Schema>>
}
