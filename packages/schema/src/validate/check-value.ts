import { Correlation } from './correlation.ts'
import { checkComposite } from './composite.ts'
import { checkEmbedded } from './embedded.ts'
import { checkListType } from './list-types.ts'
import { checkNumber, isIntegerLike } from './number.ts'
import { isSound } from './sound-parts.ts'
import { checkEnum, checkString, failEnum } from './scalar.ts'
import { invalid, required, tooMany, typeInvalid } from '../messages.ts'
import type { SchemaNode } from '../node.ts'
import { canonicalJson, type JsonKind, kindOf } from '../values.ts'
import type { Walk } from '../walk.ts'

/**
 * Checks `value` against `node` and everything below, in the order in which kube-apiserver checks, so that lists of
 * errors and the choice between failed alternatives come out the same.
 */
export function checkValue(node: SchemaNode, value: unknown, walk: Walk, correlation?: Correlation): void {
  if (walk.isFull) return
  const kind = kindOf(value)
  if (kind === 'null') {
    checkNull(node, walk)
    return
  }
  if (node.types.length > 0 || node.format !== '') checkType(node, value, kind, walk)
  walk.matches += 3 // composites, their own mark, and enum always apply
  if (node.isComposite) checkComposite(node, value, walk, checkValue)
  switch (kind) {
    case 'string':
      walk.matches += node.checkFormat === undefined ? 1 : 2
      if (node.hasStringLimits) checkString(node, value as string, walk)
      if (node.checkFormat !== undefined && !node.checkFormat(value as string)) failFormat(node, value as string, walk)
      break
    case 'integer':
    case 'number':
      walk.matches += 2
      if (node.hasNumberLimits || kind === 'number') checkNumber(node, value as number | bigint, walk)
      break
    case 'array':
      checkList(node, value as readonly unknown[], walk, correlation)
      break
    default:
      break
  }
  if (node.enum !== undefined && !checkEnum(node.enum, value)) failEnum(node.enum, value, walk)
  if (kind === 'object') checkObject(node, value as Readonly<Record<string, unknown>>, walk, correlation)
  walk.matches++
}

/** As a property or item of something: what is found in an unchanged part is dropped again. */
function checkPart(node: SchemaNode, value: unknown, walk: Walk, correlation: Correlation | undefined): void {
  if (correlation === undefined) {
    checkValue(node, value, walk)
    return
  }
  const before = walk.errors.length
  checkValue(node, value, walk, correlation)
  if (walk.errors.length > before && correlation.isUnchanged()) walk.errors.length = before
}

function checkNull(node: SchemaNode, walk: Walk): void {
  if (node.types.length > 0 && !node.nullable) failType(node.typeNames, 'null', walk)
  else walk.matches++
  // Not even an enum that lists null accepts it: kube-apiserver never matches null.
  if (node.enum !== undefined) failEnum(node.enum, null, walk)
}

function checkType(node: SchemaNode, value: unknown, kind: JsonKind, walk: Walk): void {
  walk.matches++
  const { types, format } = node
  const isInteger = kind === 'number' && types.includes('integer') && isIntegerLike(value as number)
  const isNumber = kind === 'integer' && types.includes('number')
  const fits = types.includes(kind) || isInteger || isNumber
  if (format !== '') {
    const scalarFormat = kind === 'integer' ? 'int64' : kind === 'number' ? 'float64' : ''
    if (kind !== 'string' && kind !== 'array' && !fits && scalarFormat !== format) {
      failType(format, scalarFormat, walk)
      return
    }
    // A list where a formatted string is declared passes in kube-apiserver; the format check then skips it.
    if ((kind === 'string' || kind === 'array') && !types.includes('number') && !types.includes('integer')) {
      walk.matches++
      return
    }
  }
  if (fits) walk.matches++
  else failType(node.typeNames, kind, walk)
}

function failType(wanted: string, actual: string, walk: Walk): void {
  const name = walk.name
  walk.errors.push(typeInvalid(walk.path(name), actual, `${name} in body must be of type ${wanted}: "${actual}"`))
}

function failFormat(node: SchemaNode, value: string, walk: Walk): void {
  const name = walk.name
  walk.errors.push(typeInvalid(walk.path(name), value, `${name} in body must be of type ${node.format}: ${JSON.stringify(value)}`))
}

function checkList(node: SchemaNode, list: readonly unknown[], walk: Walk, correlation: Correlation | undefined): void {
  walk.matches += 2
  const items = node.items
  if (items !== undefined) {
    for (let i = 0; i < list.length; i++) {
      walk.enter(i, false)
      checkPart(items, list[i] ?? null, walk, correlation?.item(i))
      walk.leave()
    }
  }
  const { minItems, maxItems, uniqueItems } = node.schema
  if (minItems !== undefined && list.length < minItems) {
    const name = walk.name
    walk.errors.push(invalid(walk.path(name), list.length, `${name} in body should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && list.length > maxItems) walk.errors.push(tooMany(walk.path(walk.name), list.length, maxItems))
  if (uniqueItems === true && hasDuplicates(list)) {
    const name = walk.name
    walk.errors.push(invalid(walk.path(name), '', `${name} in body shouldn't contain duplicates`))
  }
  if (node.listType !== undefined && !walk.nested) checkListType(node, list, walk)
}

const hasDuplicates = (list: readonly unknown[]): boolean => new Set(list.map(canonicalJson)).size < list.length

function checkObject(node: SchemaNode, object: Readonly<Record<string, unknown>>, walk: Walk, correlation: Correlation | undefined): void {
  walk.matches++
  const { minProperties, maxProperties } = node.schema
  if (minProperties !== undefined || maxProperties !== undefined) checkSize(node, object, walk)
  if (node.isEmbedded && !walk.nested) checkEmbedded(object, walk)
  const atRoot = walk.isRoot
  const mayPassOver = walk.mayPassOver
  for (const key in object) {
    const value = object[key]
    if (value === undefined) continue
    let child = node.property(key)
    let isKey = false
    if (child === undefined) {
      if (!node.allowsAdditional) {
        const name = walk.name
        walk.errors.push(invalid(walk.path(name), key, `${name}.${key} in body is a forbidden property`))
        continue
      }
      child = node.additional
      if (child === undefined) continue
      isKey = true
    }
    if (mayPassOver && isSound(child, value)) continue
    walk.enter(key, isKey)
    // The type of an object cannot be ratcheted at its root: old and new are converted to one version before.
    const childCorrelation =
      correlation === undefined || (atRoot && (key === 'kind' || key === 'apiVersion')) ? undefined : correlation.property(key)
    checkPart(child, value, walk, childCorrelation)
    walk.leave()
  }
  for (const key of node.required) {
    if (!Object.hasOwn(object, key) || object[key] === undefined) walk.errors.push(required(walk.path(`${walk.name}.${key}`)))
  }
}

function checkSize(node: SchemaNode, object: Readonly<Record<string, unknown>>, walk: Walk): void {
  let size = 0
  for (const key in object) if (object[key] !== undefined) size++
  const { minProperties, maxProperties } = node.schema
  if (minProperties !== undefined && size < minProperties) {
    const name = walk.name
    walk.errors.push(invalid(walk.path(name), size, `${name} in body should have at least ${minProperties} properties`))
  }
  if (maxProperties !== undefined && size > maxProperties) walk.errors.push(tooMany(walk.path(walk.name), size, maxProperties))
}
