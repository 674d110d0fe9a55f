import { childPath, indexPath, type Schema } from '@weft/api'

/** A rule's `fieldPath` (`.spec.a['b']`) as an error path, or why it is not one of the schema's. */
export function readFieldPath(text: string, root: Schema): { readonly path: string } | { readonly error: string } {
  const tokens = text.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+/gs) ?? []
  let schema: Schema | undefined = root
  let path = ''
  let i = 0
  const step = (name: string): string | undefined => {
    if (schema?.properties !== undefined) {
      const child: Schema | undefined = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (child === undefined) return 'does not refer to a valid field'
      path = childPath(path, name)
      schema = child
      return undefined
    }
    if (typeof schema?.additionalProperties !== 'object') return 'does not refer to a valid field'
    path = indexPath(path, name)
    schema = schema.additionalProperties
    return undefined
  }
  while (i < tokens.length) {
    const token = tokens[i++]
    if (token === '.') {
      const name = tokens[i++]
      if (name === undefined) return { error: 'unexpected end of JSON path' }
      const error = step(name)
      if (error !== undefined) return { error }
    } else if (token === '[') {
      const quoted = tokens[i++]
      if (quoted === undefined) return { error: 'unexpected end of JSON path' }
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'"))
        return { error: `expected single quoted string but got ${quoted}` }
      const error = step(quoted.slice(1, -1).replace(/\\(.)/gs, '$1'))
      if (error !== undefined) return { error }
      if (tokens[i++] !== ']') return { error: 'expected ]' }
    } else {
      return { error: `expected [ or . but got: ${token}` }
    }
  }
  return { path }
}
