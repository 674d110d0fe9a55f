import { childPath, field, indexPath, type FieldError, type Schema } from '@weft/api'
import { UINT64_MAX } from '../cost/interval.ts'
import { type DeclType, declTypeFromSchema, MAX_REQUEST_SIZE } from '../types/decl-type.ts'
import { checkRule, type CompiledRule } from './compile-rule.ts'
import { STATIC_COST_LIMIT, STATIC_TOTAL_LIMIT, costMessage } from './limits.ts'
import type { RuleNode } from './rule-node.ts'

/** Everything wrong with the rules of a schema, as the server says it when a definition is written. */
export interface RuleCheck {
  readonly errors: readonly FieldError[]
  /** Worst case cost of all expressions together. */
  readonly totalCost: bigint
}

export function checkRules(root: RuleNode, path: string): RuleCheck {
  const walk = new RuleWalk()
  walk.visit(root, { path, cardinality: 1n, uncorrelated: undefined, scoped: false, untyped: false })
  return walk.finish(path)
}

/** Where in the schema: how often the value can occur (undefined: no bound) and what keeps old values from being found. */
interface Place {
  readonly path: string
  readonly cardinality: bigint | undefined
  readonly uncorrelated: string | undefined
  /** Something above has rules. */
  readonly scoped: boolean
  /** Something above has rules, and nothing to judge by of what type it is: nor has anything below. */
  readonly untyped: boolean
}

class RuleWalk {
  readonly #errors: FieldError[] = []
  readonly #expensive: { readonly path: string; readonly cost: bigint }[] = []
  #total = 0n

  visit(node: RuleNode, place: Place): void {
    const { path } = place
    const cardinality = childCardinality(node.schema, place.cardinality)
    const scoped = place.scoped || (node.validation['x-kubernetes-validations'] ?? []).length > 0
    const type = node.type ?? (place.untyped ? undefined : declTypeFromSchema(node.schema, { root: node.root, name: 'selfType' }))
    const inside = { ...place, cardinality, scoped, untyped: place.untyped || (scoped && type === undefined) }
    for (const [name, property] of node.properties) {
      this.visit(property, { ...inside, path: indexPath(childPath(path, 'properties'), name) })
    }
    if (node.additional !== undefined) this.visit(node.additional, { ...inside, path: childPath(path, 'additionalProperties') })
    if (node.items !== undefined) {
      const correlated = node.schema['x-kubernetes-list-type'] === 'map'
      const uncorrelated = place.uncorrelated ?? (correlated ? undefined : path)
      this.visit(node.items, { ...inside, path: childPath(path, 'items'), uncorrelated })
    }
    this.#own(node, type, place)
  }

  #own(node: RuleNode, type: DeclType | undefined, place: Place): void {
    const rules = node.validation['x-kubernetes-validations'] ?? []
    const pathOf = (index: number): string => indexPath(childPath(place.path, 'x-kubernetes-validations'), index)
    const written = rules.flatMap((rule, i) => checkRule(rule, node.schema, pathOf(i)))
    this.#errors.push(...written)
    if (written.length > 0 || rules.length === 0) return
    if (type === undefined) {
      this.#errors.push(
        field.internal(
          childPath(place.path, 'x-kubernetes-validations'),
          'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
        ),
      )
      return
    }
    const times = place.cardinality ?? BigInt(Math.floor(MAX_REQUEST_SIZE / (type.minSize + 1)))
    // What rules cannot reach from above never runs, but is to be right all the same.
    const compiled = node.type === undefined ? node.rulesFor(type) : node.rules
    for (const [i, rule] of compiled.entries()) this.#rule(rule, pathOf(i), times, place)
  }

  #rule(rule: CompiledRule, path: string, times: bigint, place: Place): void {
    const product = rule.cost * times
    const cost = product > UINT64_MAX ? UINT64_MAX : product
    this.#cost('estimated rule cost', `${path}.rule`, cost)
    if (rule.problem !== undefined) this.#errors.push(field.invalid(`${path}.rule`, rule.rule, rule.problem))
    if (rule.messageProblem !== undefined) this.#errors.push(field.invalid(`${path}.messageExpression`, rule.rule, rule.messageProblem))
    else if (rule.message !== undefined) this.#cost('estimated messageExpression cost', `${path}.messageExpression`, rule.messageCost)
    if (rule.program === undefined) return
    if (rule.usesOldSelf) {
      if (place.uncorrelated === undefined) return
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`
      this.#errors.push(field.invalid(`${path}.rule`, rule.rule.rule, why))
    } else if (rule.rule.optionalOldSelf !== undefined) {
      this.#errors.push(
        field.invalid(`${path}.optionalOldSelf`, rule.rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
      )
    }
  }

  #cost(what: string, path: string, cost: bigint): void {
    if (cost > STATIC_COST_LIMIT) this.#errors.push(field.forbidden(path, costMessage(what, cost, STATIC_COST_LIMIT)))
    this.#total += cost
    // Only what makes a difference is worth naming.
    if (cost >= STATIC_TOTAL_LIMIT / 100n) this.#expensive.push({ path, cost })
  }

  finish(path: string): RuleCheck {
    if (this.#total > STATIC_TOTAL_LIMIT) {
      const most = this.#expensive.toSorted((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0)).slice(0, 4)
      for (const { path: at } of most) {
        this.#errors.push(field.forbidden(at, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'))
      }
      const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
      this.#errors.push(field.forbidden(path, costMessage(what, this.#total, STATIC_TOTAL_LIMIT)))
    }
    return { errors: this.#errors, totalCost: this.#total }
  }
}

/** How often what is inside a value of this schema can occur. */
function childCardinality(schema: Schema, own: bigint | undefined): bigint | undefined {
  if (own === undefined) return undefined
  const times = (bound: number | undefined): bigint | undefined => (bound === undefined ? undefined : own * BigInt(Math.max(0, bound)))
  if (schema.type === 'array') return times(schema.maxItems)
  if (schema.type === 'object' && schema.additionalProperties !== undefined) return times(schema.maxProperties)
  return own
}
