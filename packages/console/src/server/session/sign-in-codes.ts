import { digestOf, isSecret, newSecret } from './secret.ts'

/**
 * Codes of one-time links. A code works once and for a short while; only its digest is kept. A wrong code does not use a
 * right one up.
 */
export interface SignInCodes {
  issue(): string
  /** True once per code that was issued and has not expired. */
  redeem(code: string): boolean
}

export interface SignInCodesOptions {
  readonly now: () => number
  readonly lifetimeMs: number
}

/** Whoever prints links in a loop must not fill the memory. */
const MAX_OPEN = 16

export function createSignInCodes({ now, lifetimeMs }: SignInCodesOptions): SignInCodes {
  let open: { readonly digest: Buffer; readonly expires: number }[] = []
  return {
    issue() {
      const code = newSecret()
      open = [...open.slice(1 - MAX_OPEN), { digest: digestOf(code), expires: now() + lifetimeMs }]
      return code
    },
    redeem(code) {
      open = open.filter(({ expires }) => expires > now())
      // Every one is compared: how long it takes says nothing about which.
      const matches = open.map(({ digest }) => isSecret(code, digest))
      open = open.filter((_, i) => matches[i] !== true)
      return matches.includes(true)
    },
  }
}
