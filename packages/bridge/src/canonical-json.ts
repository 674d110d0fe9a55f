/** An object as text that is always the same for it. */
export function canonicalJson(json: string): string {
  const parsed = JSON.parse(json) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).sort(([a], [b]) => (a < b ? -1 : 1))))
}
