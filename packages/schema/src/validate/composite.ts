import { addErrors, type FieldError, goQuote } from '@weft/api'
import type { SchemaNode } from '../node.ts'
import type { Walk } from '../walk.ts'

/** Checks a value against one alternative: the caller's own walk, given so that the two modules do not import each other. */
export type Check = (node: SchemaNode, value: unknown, walk: Walk) => void

interface Outcome {
  readonly errors: readonly FieldError[]
  readonly matches: number
}

/**
 * allOf, anyOf, oneOf and not. When no alternative fits, the errors of the one that matched most are reported beside
 * the verdict. Ratcheting does not reach in here: an alternative is not a part of the object.
 */
export function checkComposite(node: SchemaNode, value: unknown, walk: Walk, check: Check): void {
  const wasNested = walk.nested
  walk.nested = true
  if (node.anyOf.length > 0) checkAnyOf(node.anyOf, value, walk, check)
  if (node.oneOf.length > 0) checkOneOf(node.oneOf, value, walk, check)
  if (node.allOf.length > 0) checkAllOf(node.allOf, value, walk, check)
  const { not } = node
  if (not !== undefined && walk.trial(() => check(not, value, walk)).errors.length === 0) {
    walk.failAtBase(`${goQuote(walk.name)} must not validate the schema (not)`)
  }
  walk.nested = wasNested
}

function checkAnyOf(alternatives: readonly SchemaNode[], value: unknown, walk: Walk, check: Check): void {
  let best: Outcome | undefined
  for (const alternative of alternatives) {
    const outcome = walk.trial(() => check(alternative, value, walk))
    if (outcome.errors.length === 0) {
      walk.matches += outcome.matches
      return
    }
    if (best === undefined || outcome.matches > best.matches) best = outcome
  }
  walk.failAtBase(`${goQuote(walk.name)} must validate at least one schema (anyOf)`)
  merge(best, walk)
}

function checkOneOf(alternatives: readonly SchemaNode[], value: unknown, walk: Walk, check: Check): void {
  let best: Outcome | undefined
  let first: Outcome | undefined
  let valid = 0
  for (const alternative of alternatives) {
    const outcome = walk.trial(() => check(alternative, value, walk))
    if (outcome.errors.length === 0) {
      valid++
      first ??= outcome
      best = undefined
    } else if (valid === 0 && (best === undefined || outcome.matches > best.matches)) best = outcome
  }
  if (valid === 1) {
    merge(first, walk)
    return
  }
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
  walk.failAtBase(`${goQuote(walk.name)} must validate one and only one schema (oneOf). ${found}`)
  merge(best, walk)
}

function checkAllOf(parts: readonly SchemaNode[], value: unknown, walk: Walk, check: Check): void {
  let valid = 0
  for (const part of parts) {
    const before = walk.errors.length
    check(part, value, walk)
    if (walk.errors.length === before) valid++
  }
  if (valid < parts.length)
    walk.failAtBase(`${goQuote(walk.name)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
}

function merge(outcome: Outcome | undefined, walk: Walk): void {
  if (outcome === undefined) return
  addErrors(walk.errors, outcome.errors)
  walk.matches += outcome.matches
}
