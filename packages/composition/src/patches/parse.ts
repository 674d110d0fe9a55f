import { childPath, field, getOwn, type JsonObject } from '@weft/api'
import {
  asObject,
  choice,
  type Errors,
  optionalList,
  type Parsed,
  parsed,
  requiredObject,
  requiredString,
  requiredText,
} from '../document.ts'
import { parseFieldPath } from '../fieldpath/parse.ts'
import type { FieldPath } from '../fieldpath/path.ts'
import { compileFormat } from '../transforms/format.ts'
import { readTransforms } from '../transforms/parse.ts'
import type { Patch, PatchInput, PatchSide } from './patch.ts'
import { readPolicy } from './policy.ts'

const TYPES = [
  'FromCompositeFieldPath',
  'ToCompositeFieldPath',
  'CombineFromComposite',
  'CombineToComposite',
  'FromEnvironmentFieldPath',
  'ToEnvironmentFieldPath',
  'CombineFromEnvironment',
  'CombineToEnvironment',
  'PatchSet',
] as const
type PatchType = (typeof TYPES)[number]

const DIRECTIONS: Readonly<Record<Exclude<PatchType, 'PatchSet'>, readonly [from: PatchSide, to: PatchSide]>> = {
  FromCompositeFieldPath: ['composite', 'composed'],
  CombineFromComposite: ['composite', 'composed'],
  ToCompositeFieldPath: ['composed', 'composite'],
  CombineToComposite: ['composed', 'composite'],
  FromEnvironmentFieldPath: ['environment', 'composed'],
  CombineFromEnvironment: ['environment', 'composed'],
  ToEnvironmentFieldPath: ['composed', 'environment'],
  CombineToEnvironment: ['composed', 'environment'],
}

/** Named lists of patches that templates of one document share. */
export type PatchSets = ReadonlyMap<string, readonly Patch[]>

export function parsePatches(raw: unknown, path = 'patches', patchSets: PatchSets = new Map()): Parsed<readonly Patch[]> {
  const errors: Errors = []
  return parsed(readPatches(raw, { path, patchSets, errors }), errors)
}

interface Context {
  readonly path: string
  /** Undefined inside a patch set, which may not include another. */
  readonly patchSets: PatchSets | undefined
  /** The patch set being read, if it is one. */
  readonly patchSet?: string
  readonly errors: Errors
}

export function readPatches(raw: unknown, context: Context): readonly Patch[] {
  const { path, errors } = context
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    errors.push(field.typeInvalid(path, raw, 'must be a list'))
    return []
  }
  return raw.flatMap((item: unknown, index) => readPatch(item, { ...context, path: `${path}[${index}]` }))
}

/** `spec.patchSets` of a Composition. */
export function readPatchSets(raw: unknown, path: string, errors: Errors): PatchSets {
  const sets = new Map<string, readonly Patch[]>()
  if (raw === undefined || raw === null) return sets
  if (!Array.isArray(raw)) errors.push(field.typeInvalid(path, raw, 'must be a list'))
  else
    raw.forEach((item: unknown, index) => {
      const at = `${path}[${index}]`
      const set = asObject(item, at, errors)
      const name = set && requiredString(set, 'name', at, errors)
      if (set === undefined || name === undefined) return
      if (sets.has(name)) errors.push(field.duplicate(`${at}.name`, name))
      sets.set(name, readPatches(getOwn(set, 'patches'), { path: `${at}.patches`, patchSets: undefined, patchSet: name, errors }))
    })
  return sets
}

function readPatch(raw: unknown, context: Context): readonly Patch[] {
  const { path, errors } = context
  const patch = asObject(raw, path, errors)
  const type = patch && choice(patch, 'type', { path, errors, allowed: TYPES, fallback: 'FromCompositeFieldPath' })
  if (patch === undefined || type === undefined) return []
  if (type === 'PatchSet') return includeSet(patch, context)
  const before = errors.length
  const [from, to] = DIRECTIONS[type]
  const input = type.startsWith('Combine') ? readCombine(patch, path, errors) : readSource(patch, path, errors)
  const target = readTarget(patch, input, path, errors)
  const transforms = readTransforms(getOwn(patch, 'transforms'), childPath(path, 'transforms'), errors)
  const policy = readPolicy(patch, path, errors)
  if (errors.length > before || input === undefined || target === undefined) return []
  const { patchSet } = context
  return [{ origin: path, ...(patchSet !== undefined && { patchSet }), from, to, input, toFieldPath: target, transforms, ...policy }]
}

function includeSet(patch: JsonObject, { path, patchSets, errors }: Context): readonly Patch[] {
  if (patchSets === undefined) {
    errors.push(field.forbidden(`${path}.type`, 'a patch set may not include a patch set'))
    return []
  }
  const name = requiredString(patch, 'patchSetName', path, errors)
  if (name === undefined) return []
  const patches = patchSets.get(name)
  if (patches === undefined) errors.push(field.notFound(`${path}.patchSetName`, name))
  return patches ?? []
}

/** `fromFieldPath`, or seed 001's `fromClaimFieldPath`. */
function readSource(patch: JsonObject, path: string, errors: Errors): PatchInput | undefined {
  const name = spelling(patch, ['fromFieldPath', 'fromClaimFieldPath'], path, errors)
  const text = requiredString(patch, name, path, errors)
  const source = text === undefined ? undefined : readPath(text, childPath(path, name), errors)
  if (source === undefined) return undefined
  if (source.hasWildcard) {
    errors.push(field.invalid(childPath(path, name), text, 'a patch reads one value: wildcards are for the path it writes'))
    return undefined
  }
  return { kind: 'field', path: source }
}

/** `toFieldPath`, or seed 001's `toResourceFieldPath`; left out, the path that was read. */
function readTarget(patch: JsonObject, input: PatchInput | undefined, path: string, errors: Errors): FieldPath | undefined {
  const name = spelling(patch, ['toFieldPath', 'toResourceFieldPath'], path, errors)
  const absent = getOwn(patch, name) === undefined || getOwn(patch, name) === null
  if (absent && input?.kind === 'field') return input.path
  const text = absent && input === undefined ? undefined : requiredString(patch, name, path, errors)
  return text === undefined ? undefined : readPath(text, childPath(path, name), errors)
}

function spelling(patch: JsonObject, [canonical, seed]: readonly [string, string], path: string, errors: Errors): string {
  if (getOwn(patch, seed) === undefined) return canonical
  if (getOwn(patch, canonical) !== undefined)
    errors.push(field.forbidden(childPath(path, seed), `may not be set together with ${canonical}`))
  return seed
}

function readCombine(patch: JsonObject, path: string, errors: Errors): PatchInput | undefined {
  const at = childPath(path, 'combine')
  const combine = requiredObject(patch, 'combine', path, errors)
  if (combine === undefined) return undefined
  choice(combine, 'strategy', { path: at, errors, allowed: ['string'], fallback: undefined })
  const list = optionalList(combine, 'variables', at, errors) ?? []
  if (list.length === 0) errors.push(field.required(`${at}.variables`, 'at least one'))
  const variables = list.map((raw, i) => {
    const where = `${at}.variables[${i}]`
    const variable = asObject(raw, where, errors)
    const text = variable && requiredString(variable, 'fromFieldPath', where, errors)
    return text === undefined ? undefined : readPath(text, `${where}.fromFieldPath`, errors)
  })
  const string = requiredObject(combine, 'string', at, errors)
  const text = string && requiredText(string, 'fmt', `${at}.string`, errors)
  const format = text === undefined ? undefined : compileFormat(text)
  if (format === undefined) return undefined
  if (!format.ok) {
    errors.push(field.invalid(`${at}.string.fmt`, text, format.error.message))
    return undefined
  }
  return { kind: 'combine', variables: variables.filter((variable) => variable !== undefined), format: format.value }
}

function readPath(text: string, path: string, errors: Errors): FieldPath | undefined {
  const result = parseFieldPath(text)
  if (result.ok) return result.value
  errors.push(field.invalid(path, text, result.error.message))
  return undefined
}
