import { type KubeObject, specOf } from '@weft/api'
import { matchesPattern } from './pattern.ts'

/** M6: patterns of a policy that name nothing: those that never can, and those that do not yet. For its author; none of it is an error. */
export function checkPatterns(policy: KubeObject, definitions: readonly KubeObject[]): readonly string[] {
  const patterns = specOf(policy)['activate']
  if (!Array.isArray(patterns)) return []
  return patterns.flatMap((pattern: unknown, i) => {
    if (typeof pattern !== 'string') return []
    const problem = problemWith(pattern, definitions)
    return problem === undefined ? [] : [`spec.activate[${i}]: ${problem}`]
  })
}

function problemWith(pattern: string, definitions: readonly KubeObject[]): string | undefined {
  if (pattern.includes('*', 1)) return `${pattern} can never match anything: * is a wildcard only at the beginning, as in *.example.org`
  if (definitions.some(({ metadata }) => matchesPattern(pattern, metadata.name ?? ''))) return undefined
  return `${pattern} names no ManagedResourceDefinition that exists now: it is activated when it is created`
}
