export const PUBLISHED: readonly ['kubectl', 'docker', 'azurerm']
export function ensurePublishedProvider(name: (typeof PUBLISHED)[number]): Promise<{ program: string } | { skipped: string }>
