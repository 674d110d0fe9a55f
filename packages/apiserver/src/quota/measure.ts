import type { KubeObject } from '@weft/api'
import type { ScopeRequirement } from './scopes.ts'
import type { Usage } from './usage.ts'

export interface GroupResource {
  readonly group: string
  readonly plural: string
}

/** How the objects of one resource count towards quotas. Pure. */
export interface Measure {
  /** Names of the limits that are about this resource. */
  readonly limits: { has(name: string): boolean }
  usage(object: KubeObject): Usage
  /** An update can change what is used. Otherwise every object counts one, whatever is in it. */
  readonly varies: boolean
  /** Is the object in this scope? Absent: it is in none. */
  matches?(scope: ScopeRequirement, object: KubeObject): boolean
  /** What a new object must say where these are limited, and does not. */
  missing?(object: KubeObject, limits: readonly string[]): string | undefined
}
