import type { UserInfo } from '../auth/index.ts'

/** Something was thrown that nobody meant to tell a client: a fault of the server. The client got a 500 with the same id. */
export interface RequestException {
  readonly error: unknown
  /** The `Audit-Id` of the answer. */
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly user: UserInfo | undefined
}

/** One entry of a log: what was asked for and by whom, and where the fault is. Never the query or the body, which may hold secrets. */
export function describeException({ error, requestId, method, path, user }: RequestException): string {
  const where = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${EXCEPTION_MARK} ${requestId}: ${method} ${path} by ${user?.username ?? 'nobody'}: ${where}`
}

/** How every such entry begins; tests look for it in what a server printed. */
export const EXCEPTION_MARK = 'exception in request'
