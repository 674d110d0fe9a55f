import type { UserInfo } from '../user.ts'

/** What became of a bearer token. */
export type TokenResult =
  | { readonly type: 'authenticated'; readonly user: UserInfo; readonly audiences?: readonly string[] }
  /** `message` is for TokenReview and the log; an HTTP client only learns "Unauthorized". */
  | { readonly type: 'failed'; readonly message: string }

export const tokenFailure = (message: string): TokenResult & { readonly type: 'failed' } => ({ type: 'failed', message })
