/** Builds on first use; `skipped` tells why this machine cannot. */
export function ensureControllerRuntime(): Promise<{ program: string } | { skipped: string }>
