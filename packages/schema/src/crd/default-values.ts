import { addErrors, deepEqual, type FieldError, formatFieldErrors, type Schema } from '@weft/api'
import { keywordErrors, metadataErrors } from '../compile.ts'
import { coerceMetadata } from '../transform/coerce.ts'
import { invalid, under } from '../messages.ts'
import { nodeOf } from '../node.ts'
import { pruneValue } from '../transform/prune.ts'
import { hasRules, type RuleCompiler } from '../rules.ts'

export interface DefaultRules {
  /** A default may not contain fields that pruning would drop. */
  readonly requirePruned: boolean
  readonly rules: RuleCompiler
}

/** The resource that a default belongs to, and how to build one around the default. */
interface Surroundings {
  readonly schema: Schema
  readonly wrap: (value: unknown) => unknown
}

interface Place {
  readonly path: string
  readonly resource: Surroundings
  /** Inside apiVersion, kind or metadata. */
  readonly insideMeta: boolean
}

const withType = (value: unknown): unknown => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as object) })

/** Every default is a value that the server would accept as it stands. Defaults of map entries are not looked at. */
export function defaultValueErrors(schema: Schema, path: string, rules: DefaultRules): FieldError[] {
  return check(schema, { path, resource: { schema, wrap: withType }, insideMeta: false }, rules, true)
}

function check(schema: Schema, place: Place, rules: DefaultRules, isRoot = false): FieldError[] {
  const isEmbedded = isRoot || schema['x-kubernetes-embedded-resource'] === true
  const { path, resource, insideMeta }: Place = isEmbedded
    ? { path: place.path, resource: { schema, wrap: withType }, insideMeta: false }
    : place
  const errors: FieldError[] = []
  if (schema.default !== undefined && schema.default !== null) {
    const at = `${path}.default`
    const before = insideMeta ? resultingMetaErrors(schema.default, at, resource) : ownErrors(schema, at, rules)
    addErrors(errors, before.errors)
    if (before.mayContinue) addErrors(errors, valueErrors(schema, at, { ...rules, root: isEmbedded }))
  }
  if (schema.items !== undefined) {
    const inner = { ...resource, wrap: (value: unknown) => resource.wrap([value]) }
    addErrors(errors, check(schema.items, { path: `${path}.items`, resource: inner, insideMeta }, rules))
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = isEmbedded && (key === 'metadata' || key === 'apiVersion' || key === 'kind')
    const inner = { ...resource, wrap: (value: unknown) => resource.wrap({ [key]: value }) }
    addErrors(errors, check(property, { path: `${path}.properties[${key}]`, resource: inner, insideMeta: insideMeta || isMeta }, rules))
  }
  return errors
}

interface Preliminary {
  readonly errors: readonly FieldError[]
  readonly mayContinue: boolean
}

/** A default for a part of metadata cannot be judged alone; the resource around it is built and judged. */
function resultingMetaErrors(value: unknown, at: string, resource: Surroundings): Preliminary {
  const node = nodeOf(resource.schema)
  const { value: coerced, error } = coerceMetadata(node, resource.wrap(value), { root: true })
  const errors = error === undefined ? metadataErrors(resource.schema, coerced, { path: '', root: true }) : [error]
  if (errors.length === 0) return { errors: [], mayContinue: true }
  return { errors: [invalid(at, value, `must result in valid metadata: ${formatFieldErrors(errors)}`)], mayContinue: false }
}

function ownErrors(schema: Schema, at: string, { requirePruned }: DefaultRules): Preliminary {
  const errors: FieldError[] = []
  const value = schema.default
  const node = nodeOf(schema)
  if (requirePruned && !deepEqual(pruneValue(node, value, { root: false }), value))
    errors.push(invalid(at, value, 'must not have unknown fields'))
  const { error } = coerceMetadata(node, value)
  if (error !== undefined)
    return {
      errors: [...errors, { ...error, path: error.path.startsWith('[') ? `${at}${error.path}` : under(at, error.path) }],
      mayContinue: false,
    }
  const meta = metadataErrors(schema, value, { path: at, root: false })
  return { errors: [...errors, ...meta], mayContinue: meta.length === 0 }
}

function valueErrors(schema: Schema, at: string, { rules, root }: DefaultRules & { readonly root: boolean }): FieldError[] {
  const errors = keywordErrors(schema, schema.default, at)
  if (errors.length > 0 || !hasRules(schema)) return errors
  const compiled = rules(schema, { root })
  // Rules that do not compile are reported as such, not once more for every default.
  if (compiled.check().errors.length > 0) return []
  const asUpdate = compiled.validate(schema.default, schema.default, { path: at })
  return asUpdate.length > 0 ? [...asUpdate] : [...compiled.validate(schema.default, undefined, { path: at })]
}
