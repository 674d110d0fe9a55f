import { isLabelValue, isQualifiedName } from './names.ts'

/** Label selectors: the query string form (`a=b,c in (d,e),!f`) and the object form (matchLabels, matchExpressions). */
export type LabelOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!exists' | 'gt' | 'lt'

export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

export type Labels = Readonly<Record<string, string>>

export interface LabelSelector {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

export class SelectorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SelectorError'
  }
}

export function matchesRequirement({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!exists':
      return value === undefined
    case 'gt':
      return value !== undefined && /^-?\d+$/.test(value) && BigInt(value) > BigInt(values[0] ?? '0')
    case 'lt':
      return value !== undefined && /^-?\d+$/.test(value) && BigInt(value) < BigInt(values[0] ?? '0')
  }
}

/** All requirements are ANDed; an empty list matches everything. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels | undefined): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels))
}

export function requirementsOf(selector: LabelSelector | undefined): LabelRequirement[] {
  const fromLabels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]))
  const fromExpressions = (selector?.matchExpressions ?? []).map(({ key, operator, values }) => {
    switch (operator) {
      case 'In':
        return requirement(key, 'in', values ?? [])
      case 'NotIn':
        return requirement(key, 'notin', values ?? [])
      case 'Exists':
        return requirement(key, 'exists', [])
      case 'DoesNotExist':
        return requirement(key, '!exists', [])
      default:
        throw new SelectorError(`"${operator}" is not a valid label selector operator`)
    }
  })
  return [...fromLabels, ...fromExpressions]
}

function requirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const keyErrors = isQualifiedName(key)
  if (keyErrors.length > 0) throw new SelectorError(`key: Invalid value: ${JSON.stringify(key)}: ${keyErrors.join('; ')}`)
  if ((operator === 'in' || operator === 'notin') && values.length === 0)
    throw new SelectorError(`values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`)
  if ((operator === 'gt' || operator === 'lt') && !/^-?\d+$/.test(values[0] ?? ''))
    throw new SelectorError(
      `values[0]: Invalid value: ${JSON.stringify(values[0] ?? '')}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  values.forEach((value, i) => {
    const errors = isLabelValue(value)
    if (errors.length > 0) throw new SelectorError(`values[${i}][${key}]: Invalid value: ${JSON.stringify(value)}: ${errors.join('; ')}`)
  })
  return { key, operator, values }
}

/** Parses the query form. Throws SelectorError, worded for a BadRequest. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  return new SelectorParser(text).parse()
}

const IDENTIFIER = /^[^!=<>,()]/
const WORD_OPERATORS = new Set(['in', 'notin'])

/** Recursive descent over `a=b,c in (d,e),!f`. Complains in the words that Kubernetes' own parser uses. */
class SelectorParser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = text.match(/!=|==|[!=<>,()]|[^\s!=<>,()]+/g) ?? []
  }

  parse(): LabelRequirement[] {
    const result: LabelRequirement[] = []
    for (;;) {
      const first = this.#peek()
      if (first === '') return result
      if (first !== '!' && !IDENTIFIER.test(first)) throw this.#unexpected(first, "!, identifier, or 'end of string'")
      result.push(this.#wrapped())
      const end = this.#next()
      if (end === '') return result
      if (end !== ',') throw this.#unexpected(end, "',' or 'end of string'")
      const after = this.#peek()
      if (after !== '!' && !IDENTIFIER.test(after)) throw this.#unexpected(after, "identifier after ','")
    }
  }

  #wrapped(): LabelRequirement {
    try {
      return this.#requirement()
    } catch (error) {
      throw error instanceof SelectorError ? new SelectorError(`unable to parse requirement: ${error.message}`) : error
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek() === '!'
    if (negated) this.#at++
    const key = this.#next()
    if (!IDENTIFIER.test(key)) throw this.#unexpected(key, 'identifier')
    const why = isQualifiedName(key)
    if (why.length > 0) throw new SelectorError(`<nil>: Invalid value: ${JSON.stringify(key)}: ${why.join('; ')}`)
    if (this.#peek() === '' || this.#peek() === ',') return requirement(key, negated ? '!exists' : 'exists', [])
    const operator = this.#next()
    switch (operator) {
      case '=':
      case '==':
        return requirement(key, '=', [this.#exactValue()])
      case '!=':
        return requirement(key, '!=', [this.#exactValue()])
      case '>':
        return requirement(key, 'gt', [this.#exactValue()])
      case '<':
        return requirement(key, 'lt', [this.#exactValue()])
      default:
        if (!WORD_OPERATORS.has(operator)) throw this.#unexpected(operator, 'in, notin, =, ==, !=, gt, lt')
        return requirement(key, operator as 'in' | 'notin', [...new Set(this.#list())].sort())
    }
  }

  #list(): string[] {
    const open = this.#next()
    if (open !== '(') throw new SelectorError(`found '${open}' expected: '('`)
    const first = this.#peek()
    if (first === ')') {
      this.#at++
      return ['']
    }
    if (first !== ',' && !IDENTIFIER.test(first)) throw this.#unexpected(first, "',', ')' or identifier")
    const values: string[] = []
    for (;;) {
      const token = this.#next()
      const following = this.#peek()
      if (IDENTIFIER.test(token)) {
        values.push(token)
        if (following !== ',' && following !== ')') throw this.#unexpected(following, "',' or ')'")
      } else if (token === ',') {
        if (values.length === 0 || following === ')' || following === ',') values.push('')
      } else throw this.#unexpected(token, "',', or identifier")
      if (following === ')') {
        this.#at++
        return values
      }
    }
  }

  #exactValue(): string {
    if (this.#peek() === '' || this.#peek() === ',') return ''
    const token = this.#next()
    if (!IDENTIFIER.test(token)) throw this.#unexpected(token, 'identifier')
    return token
  }

  /** The empty string at the end. */
  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? ''
  }

  #unexpected(found: string, expected: string): SelectorError {
    return new SelectorError(`found '${found}', expected: ${expected}`)
  }
}

/** The canonical query form, for requests and continue tokens. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements
    .map(({ key, operator, values }) => {
      switch (operator) {
        case 'exists':
          return key
        case '!exists':
          return `!${key}`
        case 'in':
        case 'notin':
          return `${key} ${operator} (${values.join(',')})`
        case 'gt':
          return `${key}>${values[0] ?? ''}`
        case 'lt':
          return `${key}<${values[0] ?? ''}`
        default:
          return `${key}${operator}${values[0] ?? ''}`
      }
    })
    .join(',')
}
