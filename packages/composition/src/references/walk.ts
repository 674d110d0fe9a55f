import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { type FieldPath, formatFieldPath, pathOf, type Segment, WILDCARD } from '../fieldpath/path.ts'
import type { ReferenceTarget } from './target.ts'

/** A reference by name to one object. */
export interface FieldRef {
  readonly name: string
  readonly namespace?: string
}

/** One field X of an object, with what stands beside it: `XRef(s)` and `XSelector(s)` (A15, F16, C40). Paths are from the object. */
export interface ReferenceField {
  /** The name X. */
  readonly name: string
  readonly many: boolean
  readonly valuePath: FieldPath
  readonly refPath: FieldPath
  /** What X holds now, unless that is a reference in disguise (B9). */
  readonly value: unknown
  readonly refs: readonly FieldRef[]
  /** B9: the reference stands in X itself. */
  readonly disguised: boolean
  readonly selectors: readonly JsonObject[]
  /** Undefined when the data names no target: such a field is left alone. */
  readonly target: ReferenceTarget | undefined
}

/** Keys that end like references but belong to the machinery (appendix A, and their later relatives). */
export const MACHINERY_KEYS: ReadonlySet<string> = new Set([
  'providerRef',
  'providerConfigRef',
  'classRef',
  'claimRef',
  'aggregateRef',
  'compositeRef',
  'composedRefs',
  'resourceRef',
  'resourceRefs',
  'requirementRef',
  'compositionRef',
  'compositionRevisionRef',
  'writeConnectionSecretToRef',
  'writeConnectionSecretsToRef',
  'serviceAccountRef',
  'classSelector',
  'compositionSelector',
  'compositionRevisionSelector',
  'resourceSelector',
])

const KEY = /^(.+?)(Refs?|Selectors?)$/s

/**
 * Every reference field in the spec of an object, at any depth and inside lists. Under `forProvider` nothing is machinery, so there a
 * `serviceAccountRef` is a field like any other. `targets` are those of the object's kind.
 */
export function findReferences(object: KubeObject, targets: readonly ReferenceTarget[] = []): readonly ReferenceField[] {
  const found: ReferenceField[] = []
  const spec = object['spec']
  if (isJsonObject(spec)) walk(spec, ['spec'], { targets, found, machinery: true })
  return found
}

interface Walk {
  readonly targets: readonly ReferenceTarget[]
  readonly found: ReferenceField[]
  readonly machinery: boolean
}

function walk(node: JsonObject, at: readonly Segment[], state: Walk): void {
  for (const name of fieldNames(node, at, state)) {
    const field = fieldAt(node, name, at, state)
    if (field !== undefined) state.found.push(field)
  }
  for (const key of Object.keys(node)) {
    if (KEY.test(key) || (state.machinery && MACHINERY_KEYS.has(key))) continue
    descend(getOwn(node, key), [...at, key], key === 'forProvider' ? { ...state, machinery: false } : state)
  }
}

function descend(value: unknown, at: readonly Segment[], state: Walk): void {
  if (Array.isArray(value)) value.forEach((item: unknown, index) => descend(item, [...at, index], state))
  else if (isJsonObject(value)) walk(value, at, state)
}

/** The names X in this object: from keys `XRef`…, and those the data knows that hold an object with a name (B9). */
function fieldNames(node: JsonObject, at: readonly Segment[], { targets, machinery }: Walk): ReadonlySet<string> {
  const names = new Set<string>()
  for (const key of Object.keys(node)) {
    if (machinery && MACHINERY_KEYS.has(key)) continue
    const name = KEY.exec(key)?.[1]
    if (name !== undefined) names.add(name)
    else if (disguisedRef(getOwn(node, key)) !== undefined && targetOf(targets, at, key) !== undefined) names.add(key)
  }
  return names
}

function fieldAt(node: JsonObject, name: string, at: readonly Segment[], { targets }: Walk): ReferenceField | undefined {
  const refs = member(node, `${name}Refs`)
  const selectors = member(node, `${name}Selectors`)
  const target = targetOf(targets, at, name) ?? targetOf(targets, at, `${name}s`)
  const many = refs !== undefined || selectors !== undefined || target?.many === true
  const valueName = target?.valueField ?? (many ? plural(node, name) : name)
  const value = getOwn(node, valueName)
  const disguised = disguisedRef(value)
  const given = [...asRefs(member(node, `${name}Ref`)), ...asRefs(refs)]
  const inDisguise = given.length === 0 && disguised !== undefined
  const found = inDisguise ? [disguised] : given
  const wanted = [...asObjects(member(node, `${name}Selector`)), ...asObjects(selectors)]
  if (found.length === 0 && wanted.length === 0) return undefined
  return {
    name: valueName,
    many,
    valuePath: pathOf(...at, valueName),
    refPath: pathOf(...at, many ? `${name}Refs` : `${name}Ref`),
    value: disguised === undefined ? value : undefined,
    refs: many ? found : found.slice(0, 1),
    disguised: inDisguise,
    selectors: wanted,
    target,
  }
}

const member = (node: JsonObject, key: string): unknown => getOwn(node, key) ?? undefined

/** `subnetIdRefs` fills `subnetIds`, unless the object already spells the value like the references. */
const plural = (node: JsonObject, name: string): string => (Object.hasOwn(node, name) || name.endsWith('s') ? name : `${name}s`)

const asObjects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : [value]).filter((item) => isJsonObject(item))

const asRefs = (value: unknown): readonly FieldRef[] => asObjects(value).flatMap((item) => toRef(item) ?? [])

function toRef(value: JsonObject): FieldRef | undefined {
  const name = getOwn(value, 'name')
  const namespace = getOwn(value, 'namespace')
  if (typeof name !== 'string' || name === '') return undefined
  return { name, ...(typeof namespace === 'string' && namespace !== '' && { namespace }) }
}

/** B9: `resourceGroupName: {name: x}` is meant as `resourceGroupNameRef`. Any other key makes it an ordinary object. */
function disguisedRef(value: unknown): FieldRef | undefined {
  if (!isJsonObject(value)) return undefined
  return Object.keys(value).every((key) => key === 'name' || key === 'namespace') ? toRef(value) : undefined
}

function targetOf(targets: readonly ReferenceTarget[], at: readonly Segment[], name: string): ReferenceTarget | undefined {
  if (targets.length === 0) return undefined
  // Targets are written from the spec, with [*] for any index.
  const path = formatFieldPath([...at.slice(1).map((segment) => (typeof segment === 'number' ? WILDCARD : segment)), name])
  return targets.find((target) => target.field === path) ?? targets.find((target) => target.field === name)
}
