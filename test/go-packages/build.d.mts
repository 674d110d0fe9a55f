/** Static programs, built on first use; `skipped` tells why this machine cannot. */
export function ensureGoPackages(): Promise<{ provider: string; function: string } | { skipped: string }>
