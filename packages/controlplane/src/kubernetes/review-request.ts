import type { KubeObject } from '@weft/api'
import type { Author } from '@weft/plane'

/** `admission.k8s.io/v1`: what an API server asks a webhook, as far as we read it. */
export interface ReviewRequest {
  readonly uid: string
  readonly operation: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource?: { readonly resource?: string }
  readonly userInfo?: Partial<Author>
  readonly subResource?: string
  readonly object?: KubeObject | null
  readonly oldObject?: KubeObject | null
  readonly dryRun?: boolean
  readonly options?: Readonly<Record<string, unknown>> | null
}
