/** `crds` is the folder of its definitions. `skipped` tells why there is none; then it is being built in the background. */
export function ensureKro(): Promise<{ kro: string; crds: string } | { skipped: string }>
