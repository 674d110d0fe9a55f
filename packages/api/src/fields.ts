import { SelectorError } from './labels.ts'

/** Field selectors: `metadata.name=a,status.phase!=Active`. `\`, `,` and `=` in values are escaped by a backslash. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

export function parseFieldSelector(text: string): FieldRequirement[] {
  if (text === '') return []
  return splitUnescaped(text)
    .filter((term) => term !== '')
    .map((term) => {
      const match = /^([^=!]*)(==|=|!=)(.*)$/s.exec(term)
      if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`)
      const [, field = '', operator, raw = ''] = match
      return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(raw, text) }
    })
}

export function matchesFields(requirements: readonly FieldRequirement[], valueOf: (field: string) => string): boolean {
  return requirements.every(({ field, operator, value }) => (valueOf(field) === value) === (operator === '='))
}

function splitUnescaped(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === ',') {
      terms.push(text.slice(start, i))
      start = i + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function unescape(raw: string, selector: string): string {
  let value = ''
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i] as string
    if (c === '\\') {
      const next = raw[++i]
      if (next !== '\\' && next !== ',' && next !== '=')
        throw new SelectorError(`invalid field selector '${selector}': invalid escape sequence`)
      value += next
    } else if (c === '=' || c === ',') throw new SelectorError(`invalid field selector: unescaped character in value: ${c.charCodeAt(0)}`)
    else value += c
  }
  return value
}
