import { escapeName } from '@weft/cel'
import type { Field } from './shape.ts'

interface Rule {
  readonly rule: string
  readonly message: string
}

/** Nothing is made or changed under other policies, so nothing need be known about it. */
const ACTS = "(!has(self.managementPolicies) || self.managementPolicies.exists(p, p in ['*', 'Create', 'Update']))"

/**
 * What must be given, as rules of the spec: only where something may be made or changed, and it may be given by a reference, from a Secret or
 * for the creation only (`initProvider`).
 */
export function requiredRules(fields: readonly Field[], sort: 'resource' | 'data'): readonly Rule[] {
  return fields.flatMap((field) => {
    if (field.input !== 'required') return []
    const { reference, secretField } = field
    const names = [secretField ?? field.field, ...(reference === undefined ? [] : [reference.refField, reference.selectorField])]
    const escaped = names.map(escapeName)
    // A rule cannot name it: the provider says that it is missing.
    if (escaped.includes(undefined)) return []
    const given = escaped.map((name) => `has(self.forProvider.${name})`)
    const initially = escaped.map((name) => `has(self.initProvider.${name})`)
    const message = `spec.forProvider.${names.join(' or ')} is required`
    if (sort === 'data') return [{ rule: given.join(' || '), message }]
    return [{ rule: `!${ACTS} || ${given.join(' || ')} || (has(self.initProvider) && (${initially.join(' || ')}))`, message }]
  })
}
