import type { Field } from './field.ts'

/** What may be filled in, in words; undefined where anything may. */
export function limitsOf(field: Field): string | undefined {
  switch (field.type) {
    case 'number':
      return numberLimits(field)
    case 'text': {
      const { minLength = 0, maxLength, pattern } = field
      const parts = [
        ...(minLength > 1 ? [`at least ${minLength} characters`] : []),
        ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
        ...(pattern === undefined ? [] : [`must match ${pattern}`]),
      ]
      return parts.length === 0 ? undefined : sentence(parts.join(', '))
    }
    default:
      return undefined
  }
}

function numberLimits({ integer, minimum, maximum }: Extract<Field, { readonly type: 'number' }>): string | undefined {
  const what = integer ? 'A whole number' : 'A number'
  if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${what} of at least ${minimum}`
  return maximum === undefined ? undefined : `${what} of at most ${maximum}`
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Why the server would refuse what is filled in so far; undefined when it would not, and while nothing is. */
export function problemWith(field: Field, value: unknown): string | undefined {
  switch (field.type) {
    case 'number': {
      if (typeof value !== 'number') return undefined
      const { integer, minimum, maximum } = field
      if (integer && !Number.isInteger(value)) return `${value} is not a whole number.`
      if (minimum !== undefined && value < minimum) return `${value} is less than ${minimum}.`
      return maximum !== undefined && value > maximum ? `${value} is more than ${maximum}.` : undefined
    }
    case 'text': {
      if (typeof value !== 'string' || value === '') return undefined
      const { minLength = 0, maxLength, pattern } = field
      const length = [...value].length
      if (length < minLength) return `It has fewer than ${minLength} characters.`
      if (maxLength !== undefined && length > maxLength) return `It has more than ${maxLength} characters.`
      return pattern === undefined || matches(value, pattern) ? undefined : `It does not match ${pattern}.`
    }
    default:
      return undefined
  }
}

/** Patterns are those of the server, which knows a few that a browser does not: then the server will say. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}
