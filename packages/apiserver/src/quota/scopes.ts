import { listAt, textAt, textsAt } from '../kinds/read.ts'

/** Which objects of a namespace a quota is about. */
export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values: readonly string[]
}

/** All must hold. */
export const scopesOf = (spec: unknown): readonly ScopeRequirement[] => [
  ...textsAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
  ...listAt(spec, 'scopeSelector', 'matchExpressions').map((requirement) => ({
    scopeName: textAt(requirement, 'scopeName'),
    operator: textAt(requirement, 'operator'),
    values: textsAt(requirement, 'values'),
  })),
]

/** Of a scope that has values. An empty text: there is none. */
export function matchesValue({ operator, values }: Pick<ScopeRequirement, 'operator' | 'values'>, value: string): boolean {
  switch (operator) {
    case 'Exists':
      return value !== ''
    case 'DoesNotExist':
      return value === ''
    case 'In':
      return value !== '' && values.includes(value)
    case 'NotIn':
      return value === '' || !values.includes(value)
    default:
      return false
  }
}
