export function browserTier(): { path: string } | { skipped: string }
