import { getOwn, type Schema } from '@weft/api'

export interface FieldPathOptions {
  /** Accept `['key']` beside `.key`. Default true. */
  readonly allowBrackets?: boolean
}

export interface ResolvedField {
  /** `spec.map[key]`. */
  readonly path: string
  /** The first step. */
  readonly root: string
  /** The schema of the field; undefined below `additionalProperties: true`. */
  readonly schema: Schema | undefined
}

/** Follows a path such as `.spec.replicas` through a schema: selectable fields and the `fieldPath` of rules. */
export function resolveFieldPath(
  path: string,
  schema: Schema,
  { allowBrackets = true }: FieldPathOptions = {},
): ResolvedField | { readonly error: string } {
  const tokens = tokenize(path)
  let current: Schema | undefined = schema
  let text = ''
  let root = ''
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? ''
    const bracket = token === '['
    if (!bracket && token !== '.') return { error: `expected [ or . but got: ${token}` }
    if (bracket && !allowBrackets) return { error: 'array notation is not allowed' }
    const next = tokens[++i]
    if (next === undefined) return { error: 'unexpected end of JSON path' }
    const name = bracket ? unquote(next) : { value: next }
    if ('error' in name) return name
    const step = descend(current, name.value)
    if (step === undefined) return { error: 'does not refer to a valid field' }
    root ||= name.value
    text += step.isKey ? `[${name.value}]` : text === '' ? name.value : `.${name.value}`
    current = step.schema
    if (!bracket) continue
    const close = tokens[++i]
    if (close === undefined) return { error: 'unexpected end of JSON path' }
    if (close !== ']') return { error: `expected ] but got ${close}` }
  }
  return { path: text, root, schema: current }
}

function descend(schema: Schema | undefined, name: string): { schema: Schema | undefined; isKey: boolean } | undefined {
  if (schema?.properties !== undefined && Object.keys(schema.properties).length > 0) {
    const property = getOwn(schema.properties, name)
    return property === undefined ? undefined : { schema: property, isKey: false }
  }
  const additional = schema?.additionalProperties
  if (additional === undefined) return undefined
  return { schema: typeof additional === 'object' ? additional : undefined, isKey: true }
}

/** Delimiters, quoted strings and the text between. */
function tokenize(path: string): string[] {
  const tokens: string[] = []
  let rest = path
  while (rest !== '') {
    const match = rest.startsWith("'") ? /^'(?:[^'\\]|\\.)*'/s.exec(rest) : /^(?:[.[\]]|[^.[\]]+)/s.exec(rest)
    const token = match?.[0] ?? rest
    tokens.push(token)
    rest = rest.slice(token.length)
  }
  return tokens
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}

function unquote(token: string): { readonly value: string } | { readonly error: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return { error: `expected single quoted string but got ${token}` }
  let bad: string | undefined
  const value = token.slice(1, -1).replace(/\\(.)/gs, (escape, char: string) => {
    const plain = Object.hasOwn(escapes, char) ? escapes[char] : undefined
    if (plain === undefined) bad ??= escape
    return plain ?? ''
  })
  return bad === undefined ? { value } : { error: `invalid string literal: invalid escape char ${bad}` }
}
