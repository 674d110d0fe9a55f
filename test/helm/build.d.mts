/** Builds on first use; `skipped` tells why this machine cannot. */
export function ensureHelm(): Promise<{ helm: string } | { skipped: string }>
