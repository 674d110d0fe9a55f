import { getOwn, isJsonObject, type Schema } from '@weft/api'
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
 * for the creation only (`initProvider`). `parts` are the schemas of the places where it may be given.
 */
export function requiredRules(
  fields: readonly Field[],
  sort: 'resource' | 'data',
  parts: readonly Readonly<Record<string, Schema>>[],
): readonly Rule[] {
  return fields.flatMap((field) => {
    if (field.input !== 'required') return []
    const { reference, secretField } = field
    const names = [secretField ?? field.field, ...(reference === undefined ? [] : [reference.refField, reference.selectorField])]
    const escaped = names.map(escapeName)
    // A rule cannot name it, or not look at it: the provider says that it is missing.
    if (escaped.includes(undefined) || !names.every((name) => parts.every((part) => hasType(getOwn(part, name))))) return []
    const given = escaped.map((name) => `has(self.forProvider.${name})`)
    const initially = escaped.map((name) => `has(self.initProvider.${name})`)
    const message = `spec.forProvider.${names.join(' or ')} is required`
    if (sort === 'data') return [{ rule: given.join(' || '), message }]
    return [{ rule: `!${ACTS} || ${given.join(' || ')} || (has(self.initProvider) && (${initially.join(' || ')}))`, message }]
  })
}

/** Rules see a field only if they know what it is made of, all the way down a list. */
function hasType(schema: unknown): boolean {
  if (!isJsonObject(schema) || schema['type'] === undefined) return false
  if (schema['type'] === 'array') return hasType(schema['items'])
  const { additionalProperties } = schema
  return !isJsonObject(additionalProperties) || hasType(additionalProperties)
}
