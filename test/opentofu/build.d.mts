export function ensureOpenTofu(): Promise<{ tofu: string } | { skipped: string }>
