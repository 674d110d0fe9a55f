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
    throw new SelectorError(`values[0]: Invalid value: ${JSON.stringify(values[0] ?? '')}: for 'Gt', 'Lt' operators, the value must be an integer`)
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

class SelectorParser {
  readonly #tokens: string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = text.match(/[!=<>,()]=?|[^\s!=<>,()]+/g)?.flatMap((t) => (/^[,()!]=$/.test(t) && t !== '!=' ? [t[0] ?? '', '='] : [t])) ?? []
    // `==` arrives as one token; `!=` stays one.
  }

  parse(): LabelRequirement[] {
    const result: LabelRequirement[] = []
    while (this.#at < this.#tokens.length) {
      result.push(this.#requirement())
      if (this.#at === this.#tokens.length) break
      if (this.#next() !== ',') throw this.#unexpected(`',' or 'end of string'`)
      if (this.#at === this.#tokens.length) throw new SelectorError(`unable to parse requirement: found '', expected: identifier after ','`)
    }
    return result
  }

  #requirement(): LabelRequirement {
    if (this.#peek() === '!') {
      this.#at++
      return requirement(this.#identifier(), '!exists', [])
    }
    const key = this.#identifier()
    const operator = this.#peek()
    if (operator === undefined || operator === ',') return requirement(key, 'exists', [])
    this.#at++
    switch (operator) {
      case '=':
      case '==':
        return requirement(key, '=', [this.#optionalValue()])
      case '!=':
        return requirement(key, '!=', [this.#optionalValue()])
      case '>':
        return requirement(key, 'gt', [this.#optionalValue()])
      case '<':
        return requirement(key, 'lt', [this.#optionalValue()])
      case 'in':
      case 'notin':
        return requirement(key, operator, this.#list())
      default:
        this.#at--
        throw this.#unexpected('in, notin, =, ==, !=, gt, lt')
    }
  }

  #list(): string[] {
    if (this.#next() !== '(') throw this.#unexpected(`'('`)
    const values: string[] = []
    for (;;) {
      const token = this.#next()
      if (token === undefined) throw this.#unexpected(`',' or ')'`)
      if (token === ')') {
        if (values.length === 0 || this.#tokens[this.#at - 2] === ',') values.push('')
        return values
      }
      if (token === ',') {
        if (this.#tokens[this.#at - 2] === ',' || this.#tokens[this.#at - 2] === '(') values.push('')
      } else values.push(token)
    }
  }

  #identifier(): string {
    const token = this.#next()
    if (token === undefined || /^[!=<>,()]/.test(token)) throw this.#unexpected('!, identifier, or end of string')
    return token
  }

  #optionalValue(): string {
    const token = this.#peek()
    if (token === undefined || token === ',') return ''
    if (/^[!=<>()]/.test(token)) {
      this.#at++
      throw this.#unexpected('identifier')
    }
    this.#at++
    return token
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++]
  }

  #unexpected(expected: string): SelectorError {
    return new SelectorError(`unable to parse requirement: found '${this.#tokens[this.#at - 1] ?? ''}', expected: ${expected}`)
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
