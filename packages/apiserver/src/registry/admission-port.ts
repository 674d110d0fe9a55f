import type { KubeObject } from '@weft/api'
import type { UserInfo } from '../auth/index.ts'
import type { ResourceType } from './resource-type.ts'

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
  /** Leaves a fact in the audit log. Absent where nothing is audited. */
  annotate?(key: string, value: string): void
}

/** Called once when what was admitted is over, whatever became of it: for plug-ins that keep account of writes under way. */
export type Settle = () => void

/** Who is asked before anything is written: a port of the registry, which knows no plug-in. */
export interface Admission {
  mutate(request: AdmissionRequest): Promise<KubeObject | undefined>
  /** The caller calls the answer, if there is one, when its write is over. */
  validate(request: AdmissionRequest): Promise<Settle | undefined>
}
