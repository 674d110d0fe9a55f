import { badRequest, deepEqual, getOwn, goValue, isJsonObject, type JsonObject, type Schema, setOwn } from '@weft/api'
import { badRetainKeys, directiveField, isDeletion, isOrder, PATCH, plainItem, plainValue, RETAIN_KEYS } from './directives.ts'
import { goTypeName, identityOf, noMergeKey, orderItems } from './element-order.ts'
import { jsonKind } from './json-kind.ts'
import { type PatchRule, ruleFor, withObjectMeta } from './patch-schema.ts'
import { unclassified, unprocessable } from './unprocessable.ts'

/**
 * Kubernetes' strategic merge patch: like a merge patch, but lists are merged where the schema of a built-in kind says
 * so (`x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key`), and directives delete, replace, retain and order.
 * Unchanged parts of `document` are shared. Throws the StatusError that kube-apiserver answers with.
 */
export function strategicMergePatch(document: JsonObject, patch: unknown, schema: Schema | undefined): JsonObject
export function strategicMergePatch(document: object, patch: unknown, schema: Schema | undefined): unknown
export function strategicMergePatch(document: object, patch: unknown, schema: Schema | undefined): unknown {
  if (patch === null) return document
  if (!isJsonObject(patch)) throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`)
  if (schema === undefined) throw badRequest('strategic merge patch format is not supported')
  return mergeObjects(document as JsonObject, patch, withObjectMeta(schema))
}

function mergeObjects(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const directive = getOwn(patch, PATCH)
  if (directive !== undefined) return wholeObject(directive, patch)
  const target = new Target(retain(original, patch))
  const merged = new Set<string>([RETAIN_KEYS])
  for (const key of Object.keys(patch)) if (isOrder(key)) mergeInOrder(target, patch, key, schema, merged)
  for (const key of Object.keys(patch)) if (isDeletion(key)) deleteScalars(target, patch, key)
  for (const key of Object.keys(patch)) {
    if (!merged.has(key) && !isOrder(key) && !isDeletion(key)) mergeMember(target, key, getOwn(patch, key), schema)
  }
  return target.result
}

/** A copy of an object that is made only when something is written. */
class Target {
  #result: Record<string, unknown>
  readonly #original: JsonObject

  constructor(original: JsonObject) {
    this.#original = original
    this.#result = original
  }

  get result(): JsonObject {
    return this.#result as JsonObject
  }

  get(key: string): unknown {
    return getOwn(this.#result, key)
  }

  set(key: string, value: unknown): void {
    if (value === undefined ? !Object.hasOwn(this.#result, key) : value === this.get(key)) return
    if (this.#result === this.#original) this.#result = { ...this.#original }
    if (value === undefined) delete this.#result[key]
    else setOwn(this.#result, key, value)
  }
}

function wholeObject(directive: unknown, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {}
  if (directive !== 'replace') throw badDirective(directive, patch)
  const { [PATCH]: _, ...rest } = patch
  return plainValue(rest) as JsonObject
}

const badDirective = (directive: unknown, patch: JsonObject): Error =>
  unclassified(`unknown patch type: ${goValue(directive)} in map: ${goValue(patch)}`)

/** `$retainKeys` lists every key that may stay; the patch itself must keep to it. */
function retain(original: JsonObject, patch: JsonObject): JsonObject {
  const list = getOwn(patch, RETAIN_KEYS)
  if (list === undefined) return original
  if (!Array.isArray(list)) throw badRetainKeys()
  const retained = new Set<unknown>(list)
  for (const key of Object.keys(patch)) {
    const free = key === RETAIN_KEYS || getOwn(patch, key) === null || isDeletion(key) || isOrder(key)
    if (!free && !retained.has(key)) throw badRetainKeys()
  }
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(original)) if (retained.has(key)) setOwn(kept, key, getOwn(original, key))
  return kept as JsonObject
}

function mergeMember(target: Target, key: string, change: unknown, schema: Schema | undefined): void {
  if (change === undefined || change === null) {
    if (change === null) target.set(key, undefined)
    return
  }
  const current = target.get(key)
  if (isJsonObject(current) && isJsonObject(change)) {
    const { strategy, inner } = ruleFor(schema, key)
    target.set(key, strategy === 'replace' ? change : mergeObjects(current, change, inner))
  } else if (Array.isArray(current) && Array.isArray(change)) {
    target.set(key, mergeLists(current, change, ruleFor(schema, key)))
  } else {
    target.set(key, plainValue(change))
  }
}

function deleteScalars(target: Target, patch: JsonObject, key: string): void {
  const name = directiveField(key)
  const current = target.get(name)
  const gone = getOwn(patch, key)
  if (gone === null) target.set(name, undefined)
  if (!Array.isArray(current) || !Array.isArray(gone)) return
  if (current.length > 0 || gone.length > 0) assertSameTypes(current, gone)
  const dropped = new Set<unknown>(gone)
  if (current.some((item) => dropped.has(item)))
    target.set(
      name,
      current.filter((item) => !dropped.has(item)),
    )
}

/** `$setElementOrder/field` with the list it orders, which is then done with. */
function mergeInOrder(target: Target, patch: JsonObject, key: string, schema: Schema | undefined, merged: Set<string>): void {
  const order = listOrFail(getOwn(patch, key))
  const name = directiveField(key)
  const current = target.get(name)
  const change = getOwn(patch, name)
  const rule = ruleFor(schema, name)
  const original = current === undefined ? undefined : listOrFail(current)
  const changes = change === undefined ? undefined : listOrFail(change)
  assertInOrder(changes ?? [], order, rule.mergeKey)
  if (original === undefined && changes === undefined) return
  const items =
    changes === undefined ? original : original === undefined ? (plainValue(changes) as unknown[]) : mergeLists(original, changes, rule)
  const ordered = orderItems(items ?? [], order, placesAfter(original ?? [], items ?? [], changes ?? [], rule.mergeKey), rule.mergeKey)
  target.set(name, deepEqual(ordered, original) ? original : ordered)
  merged.add(name)
}

/** Where items stood on the server. New ones take the places that deleted ones left: Kubernetes works in place. */
function placesAfter(
  original: readonly unknown[],
  merged: readonly unknown[],
  changes: readonly unknown[],
  mergeKey: string,
): readonly unknown[] {
  const left = new Set(merged.map((item) => identityOf(item, mergeKey)))
  const kept = original.filter((item) => left.has(identityOf(item, mergeKey)))
  const replaced = changes.some((item) => isJsonObject(item) && getOwn(item, PATCH) === 'replace')
  if (kept.length === original.length || replaced) return original
  const known = new Set(kept.map((item) => identityOf(item, mergeKey)))
  const added = changes.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, PATCH)) && !known.has(identityOf(item, mergeKey)))
  return [...kept, ...added.slice(0, original.length - kept.length)]
}

function listOrFail(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unclassified(`expected a []interface {}, but received a ${goTypeName(value)}`)
  return value
}

/** The patch's items must be among the ordered ones, in that order. */
function assertInOrder(changes: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (order.length === 0) return
  const named = mergeKey === '' ? changes : changes.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, PATCH))
  let at = 0
  for (const wanted of order) {
    if (at < named.length && identityOf(named[at], mergeKey) === identityOf(wanted, mergeKey)) at++
  }
  if (at < named.length) {
    throw unclassified(`The order in patch list:\n${goValue(changes)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`)
  }
}

function mergeLists(original: readonly unknown[], patch: readonly unknown[], rule: PatchRule): readonly unknown[] {
  if (rule.strategy !== 'merge') return patch
  if (original.length === 0 && patch.length === 0) return original
  assertSameTypes(original, patch)
  const result = isJsonObject(original[0] ?? patch[0]) ? mergeItems(original, patch, rule) : mergeScalars(original, patch)
  return deepEqual(result, original) ? original : result
}

const mergeScalars = (original: readonly unknown[], patch: readonly unknown[]): unknown[] =>
  orderItems([...new Set([...original, ...patch])], patch, original, '')

function mergeItems(original: readonly unknown[], patch: readonly unknown[], { mergeKey, inner }: PatchRule): unknown[] {
  if (mergeKey === '') throw unclassified('cannot merge lists without merge key for struct')
  const { kept, changes } = applyItemDirectives(original, patch as readonly JsonObject[], mergeKey)
  const merged = [...kept]
  const places = new Map<unknown, number>()
  for (const [at, item] of merged.entries()) {
    const identity = isJsonObject(item) ? getOwn(item, mergeKey) : undefined
    if (isJsonObject(item) && !places.has(identity)) places.set(identity, at)
  }
  for (const change of changes) {
    const identity = identityOf(change, mergeKey)
    const at = places.get(identity)
    if (at === undefined) places.set(identity, merged.push(plainItem(change)) - 1)
    else merged[at] = mergeObjects(merged[at] as JsonObject, change, inner)
  }
  return orderItems(merged, changes, kept, mergeKey)
}

/** `$patch: delete` takes an item away; `$patch: replace` anywhere makes the patch's other items the whole list. */
function applyItemDirectives(
  original: readonly unknown[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { kept: readonly unknown[]; changes: readonly JsonObject[] } {
  const gone = new Set<unknown>()
  let replace = false
  const changes: JsonObject[] = []
  for (const item of patch) {
    const directive = getOwn(item, PATCH)
    if (directive === undefined) changes.push(item)
    else if (directive === 'replace') replace = true
    else if (directive === 'merge') throw unclassified('merging lists cannot yet be specified in the patch')
    else if (directive !== 'delete') throw badDirective(directive, item)
    else {
      if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey)
      gone.add(getOwn(item, mergeKey))
    }
  }
  const kept = gone.size === 0 ? original : original.filter((other) => !isJsonObject(other) || !gone.has(getOwn(other, mergeKey)))
  return replace ? { kept: changes.map(plainItem), changes: [] } : { kept, changes }
}

function assertSameTypes(original: readonly unknown[], patch: readonly unknown[]): void {
  const kinds = new Set([...original, ...patch].map(jsonKind))
  if (kinds.size > 1) throw unclassified(`list element types are not identical: ${goValue([original, patch])}`)
  if (kinds.has('array')) throw unprocessable('lists of lists are not supported')
}
