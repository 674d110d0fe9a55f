import type { JsonObject } from '@weft/api'
import type { ManagedResourceDefinition } from '../definition/kinds.ts'

/** On a definition whose schema came from elsewhere: which one it is. */
export const SCHEMA_ANNOTATION = 'weft.dev/schema'
/** With the value `by-name`: a policy that activates everything (`*`) does not mean this one; it must be named, or its group. */
export const ACTIVATION_ANNOTATION = 'weft.dev/activation'
export const BY_NAME = 'by-name'

/**
 * Schemas of definitions that come without one. A provider may bring thousands of kinds along, and nobody needs the schema of one before it is
 * activated. Asked by the controller of managed kinds, on every pass of an active definition.
 */
export interface SchemaSource {
  /** Names the schema that a definition should have; another name is another schema. Undefined: it brings its own. */
  schemaOf(definition: ManagedResourceDefinition): string | undefined
  /** That schema. Rejects, saying why, while it cannot be had. */
  expand(definition: ManagedResourceDefinition): Promise<ExpandedDefinition>
}

export interface ExpandedDefinition {
  readonly versions: readonly JsonObject[]
  readonly connectionDetails: readonly JsonObject[]
}
