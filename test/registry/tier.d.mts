export function registryTier(): Promise<{ path: string } | { skipped: string }>
