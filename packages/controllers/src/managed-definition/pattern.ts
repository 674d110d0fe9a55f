/** M6: which names a pattern stands for. A leading `*` stands for anything; every other character stands for itself. */
export function matchesPattern(pattern: string, name: string): boolean {
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) && name.length >= pattern.length - 1 : pattern === name
}

/** All patterns of one policy, compiled: exact names cost one lookup, however many they are. */
export function compilePatterns(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith('*')))
  const suffixes = [...new Set(patterns.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1)))]
  if (suffixes.includes('')) return () => true
  return (name) => exact.has(name) || suffixes.some((suffix) => name.endsWith(suffix))
}

/** The patterns without those that mean everything. */
export const namedPatterns = (patterns: readonly string[]): readonly string[] => patterns.filter((pattern) => !/^\*+$/.test(pattern))
