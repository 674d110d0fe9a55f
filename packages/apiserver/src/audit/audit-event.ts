import { formatMicroTime, type Status } from '@weft/api'
import { type UserInfo, userStatus } from '../auth/index.ts'

/** What the HTTP front knows about a request. Built once, then used for every stage. */
export interface AuditRequest {
  /** The `Audit-Id` of the response. */
  readonly auditID: string
  readonly requestURI: string
  /** The API verb (`list`), or the HTTP method in lower case outside the API. */
  readonly verb: string
  /** Who authenticated. */
  readonly user: UserInfo
  /** Who they acted as. */
  readonly impersonatedUser?: UserInfo | undefined
  /** The client first, then proxies. */
  readonly sourceIPs?: readonly string[]
  readonly userAgent?: string | undefined
  readonly objectRef?: AuditObjectRef | undefined
  /** Milliseconds. */
  readonly receivedAt: number
  /** The authorizer's decision. */
  readonly decision?: { readonly allowed: boolean; readonly reason: string } | undefined
  /** Further facts, such as the id of an issued credential. Never secrets. */
  readonly annotations?: Readonly<Record<string, string>>
}

export interface AuditObjectRef {
  readonly resource: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly apiGroup?: string
  readonly apiVersion?: string
  readonly resourceVersion?: string
  readonly subresource?: string
}

/** Long-running requests (watches) are told when they arrive and when they end; others only when they end. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic'

/** `audit.k8s.io/v1 Event` at level Metadata. */
export interface AuditEvent {
  readonly kind: 'Event'
  readonly apiVersion: 'audit.k8s.io/v1'
  readonly level: 'Metadata'
  readonly auditID: string
  readonly stage: AuditStage
  readonly requestURI: string
  readonly verb: string
  readonly user: UserInfo
  readonly impersonatedUser?: UserInfo
  readonly sourceIPs?: readonly string[]
  readonly userAgent?: string
  readonly objectRef?: AuditObjectRef
  readonly responseStatus?: {
    readonly metadata: Record<string, never>
    readonly status?: string
    readonly reason?: string
    readonly code: number
  }
  readonly requestReceivedTimestamp: string
  readonly stageTimestamp: string
  readonly annotations?: Readonly<Record<string, string>>
}

export interface AuditOutcome {
  readonly stage: AuditStage
  readonly now: number
  /** HTTP code. */
  readonly code?: number
  /** The Status of a failed request. */
  readonly status?: Pick<Status, 'status' | 'reason'> | undefined
}

const MAX_AGENT = 1024
const MAX_URI = 8192

/**
 * One line of the log. Bodies never enter; neither do a Status' message and details, because validation errors quote
 * the values they complain about, and those may be secrets.
 */
export function auditEvent(request: AuditRequest, { stage, now, code, status }: AuditOutcome): AuditEvent {
  const annotations = {
    ...(request.decision && {
      'authorization.k8s.io/decision': request.decision.allowed ? 'allow' : 'forbid',
      'authorization.k8s.io/reason': request.decision.reason,
    }),
    ...request.annotations,
  }
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: request.auditID,
    stage,
    requestURI: cut(request.requestURI, MAX_URI),
    verb: request.verb,
    user: userStatus(request.user),
    ...(request.impersonatedUser && { impersonatedUser: userStatus(request.impersonatedUser) }),
    ...(request.sourceIPs && request.sourceIPs.length > 0 && { sourceIPs: request.sourceIPs }),
    ...(request.userAgent && { userAgent: cut(request.userAgent, MAX_AGENT) }),
    ...(request.objectRef && { objectRef: request.objectRef }),
    ...(code !== undefined && {
      responseStatus: {
        metadata: {},
        ...(status?.status && { status: status.status }),
        ...(status?.reason && { reason: status.reason }),
        code,
      },
    }),
    requestReceivedTimestamp: formatMicroTime(request.receivedAt),
    stageTimestamp: formatMicroTime(now),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
}

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max)}...TRUNCATED`)
