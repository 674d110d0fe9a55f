import type { Type } from './type.ts'
import { ValueError } from './value-error.ts'

/** Nothing real nests so deep; what does would exhaust the stack. */
const DEEPEST = 100

/** Reads a type as schemas and dynamic values state it: `"string"`, `["list",T]`, `["object",{…}]` … */
export function typeFromJson(json: unknown, depth = 0): Type {
  if (depth > DEEPEST) throw new ValueError(`a type nests deeper than ${DEEPEST} levels`)
  if (json === 'string' || json === 'number' || json === 'bool' || json === 'dynamic') return { kind: json }
  if (Array.isArray(json)) {
    const [kind, of] = json as unknown[]
    if (kind === 'list' || kind === 'set' || kind === 'map') return { kind, element: typeFromJson(of, depth + 1) }
    if (kind === 'tuple' && Array.isArray(of)) return { kind, elements: of.map((element) => typeFromJson(element, depth + 1)) }
    if (kind === 'object' && typeof of === 'object' && of !== null && !Array.isArray(of))
      return { kind, attributes: new Map(Object.entries(of).map(([name, type]) => [name, typeFromJson(type, depth + 1)])) }
  }
  throw new ValueError(`${JSON.stringify(json)} is no type of a value`)
}

export function typeToJson(type: Type): unknown {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return [type.kind, typeToJson(type.element)]
    case 'tuple':
      return [type.kind, type.elements.map(typeToJson)]
    case 'object':
      return [type.kind, Object.fromEntries([...type.attributes].map(([name, of]) => [name, typeToJson(of)]))]
    default:
      return type.kind
  }
}
