import type { UserInfo } from '../auth/index.ts'
import type { Admission } from './admission-port.ts'
import type { Catalog } from './catalog.ts'
import type { ResourceType } from './resource-type.ts'

/** What the write path needs of the world. Clock, randomness and identity are injected. */
export interface RegistryServices {
  readonly catalog: Catalog
  readonly admission: Admission
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  readonly newUid: () => string
  /** Why nothing new can be stored; undefined while there is room. */
  readonly memoryProblem: () => string | undefined
}

/** One write as a client asked for it. */
export interface WriteContext {
  readonly type: ResourceType
  readonly subresource: string
  readonly namespace: string
  readonly user: UserInfo
  readonly dryRun: boolean
  /** Field manager: recorded in managedFields. */
  readonly manager: string
  readonly options: Readonly<Record<string, unknown>>
  /** The object is the result of an apply, which has computed managedFields itself. */
  readonly applied?: boolean
  /** How many bytes a large request has: it is worked on in turns (see LongWork). */
  readonly bytes?: number
  warn(text: string): void
  /** Leaves a fact in the audit log; the first of a key stays. Absent where nothing is audited. */
  annotate?(key: string, value: string): void
}
