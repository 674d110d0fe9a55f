import type { JsonObject } from '@weft/api'
import type { Field, Form } from '../kinds/shape.ts'
import type { AttributePath } from '../protocol/diagnostic.ts'
import { Dynamic, isArray, isMap, type Value } from '../value/value.ts'
import { isEmpty, isZero } from './empty-values.ts'
import { toConfig } from './to-config.ts'
import { type ParameterPath, type Parameters, toParameters } from './to-parameters.ts'

export interface FittingOptions {
  readonly legacy: boolean
  /** Where a provider refuses a configuration; nowhere: it takes it. */
  refused(config: Value): Promise<readonly AttributePath[]>
}

/**
 * Parameters that lead to a state and that the provider takes together. States hold more than anybody may configure: of two attributes that say the same
 * in two ways both have a value once it exists, and an optional one that nobody set may be 0 or false there, which is out of its range. Of what
 * the provider refuses, whatever says nothing is left out, and then, one by one, what the provider decides by itself. What nothing can be done about stays.
 */
export async function fittingParameters(fields: readonly Field[], state: Value, { legacy, refused }: FittingOptions): Promise<Parameters> {
  let left = state
  for (;;) {
    const parameters = toParameters(fields, left, { legacy })
    const paths = await refused(configOf(fields, parameters))
    const candidates = paths.flatMap((path) => candidateAt(fields, left, path) ?? [])
    const idle = candidates.filter(({ value }) => isEmpty(value) || isZero(value))
    // The longer name is the variant: availability_zone_id beside availability_zone, name_prefix beside name.
    const [decided] = candidates
      .filter(({ field }) => field.computed === true)
      .toSorted((a, b) => b.field.name.length - a.field.name.length)
    const superfluous = idle.length > 0 ? idle : decided === undefined ? [] : [decided]
    if (superfluous.length === 0) return parameters
    for (const { path } of superfluous) left = without(left, path)
  }
}

interface Candidate {
  readonly path: AttributePath
  readonly field: Field
  readonly value: Value
}

/** The field that a path ends at, if it has a value and may be left out. */
function candidateAt(fields: readonly Field[], state: Value, path: AttributePath): Candidate | undefined {
  let form: Form | undefined = { kind: 'object', fields }
  let value: Value | undefined = state
  let field: Field | undefined
  for (const step of path) {
    field = undefined
    if (step.type === 'attribute') {
      field = form?.kind === 'object' ? form.fields.find(({ name }) => name === step.name) : undefined
      form = field?.form
    } else form = form !== undefined && 'element' in form ? form.element : undefined
    value = inside(value ?? null, step)
  }
  return field?.input !== 'optional' || value === undefined || value === null ? undefined : { path, field, value }
}

function inside(value: Value, step: AttributePath[number]): Value | undefined {
  if (value instanceof Dynamic) return undefined
  if (step.type === 'index') return isArray(value) ? value[step.index] : undefined
  return isMap(value) ? value.get(step.type === 'key' ? step.key : step.name) : undefined
}

/** The state with null at a place. */
function without(value: Value, [step, ...rest]: AttributePath): Value {
  if (step === undefined) return null
  const changed = without(inside(value, step) ?? null, rest)
  if (step.type === 'index') return isArray(value) ? value.with(step.index, changed) : value
  return isMap(value) ? new Map(value).set(step.type === 'key' ? step.key : step.name, changed) : value
}

/** As it would be sent, with what only a Secret may hold. */
function configOf(fields: readonly Field[], { forProvider, secrets }: Parameters): Value {
  const given = structuredClone(forProvider)
  for (const [i, { at }] of secrets.entries()) put(given, at, { namespace: 'none', name: 'none', key: String(i) })
  return toConfig(fields, given, { secrets: ({ key }) => secrets[Number(key)]?.value })
}

function put(root: JsonObject, at: ParameterPath, value: JsonObject): void {
  const holder = at.slice(0, -1).reduce<unknown>((within, part) => (within as Record<string | number, unknown> | undefined)?.[part], root)
  const last = at.at(-1)
  if (last !== undefined && typeof holder === 'object' && holder !== null) (holder as Record<string | number, unknown>)[last] = value
}
