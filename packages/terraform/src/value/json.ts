import { memberType } from './compare-values.ts'
import { Decimal } from './decimal.ts'
import { parseExactJson } from './exact-json.ts'
import type { Type } from './type.ts'
import { typeFromJson, typeToJson } from './type-json.ts'
import { Dynamic, isArray, isMap, Unknown, type Value } from './value.ts'
import { ValueError } from './value-error.ts'

/** The value as states are stored: numbers with all their digits, sets as arrays. What is unknown cannot be written (T73). */
export function encodeJson(type: Type, value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Unknown) throw new ValueError('a value that is not known yet cannot be stored')
  if (value instanceof Decimal) return value.toString()
  if (value instanceof Dynamic) return `{"type":${JSON.stringify(typeToJson(value.type))},"value":${encodeJson(value.type, value.value)}}`
  if (isArray(value)) return `[${value.map((element, index) => encodeJson(memberType(type, index), element)).join(',')}]`
  if (isMap(value))
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${encodeJson(memberType(type, name), member)}`).join(',')}}`
  return JSON.stringify(value)
}

/** Throws ValueError where the text is no JSON, or no value of the type. */
export const decodeJson = (type: Type, text: string): Value => fromTree(type, parseExactJson(text), '')

function fromTree(type: Type, tree: unknown, path: string): Value {
  if (tree === null) return null
  switch (type.kind) {
    case 'string':
      if (typeof tree === 'string') return tree.normalize('NFC')
      // Older states hold numbers and bools where the schema says text by now.
      if (tree instanceof Decimal || typeof tree === 'boolean') return String(tree)
      break
    case 'bool':
      if (typeof tree === 'boolean') return tree
      if (tree === 'true' || tree === 'false') return tree === 'true'
      break
    case 'number':
      if (tree instanceof Decimal) return tree
      if (typeof tree === 'string') return Decimal.of(tree)
      break
    case 'dynamic': {
      if (!(tree instanceof Map) || !tree.has('type') || !tree.has('value')) break
      const actual = typeFromJson(plain(tree.get('type')))
      return new Dynamic(actual, fromTree(actual, tree.get('value'), path))
    }
    case 'list':
    case 'set':
    case 'tuple':
      if (!Array.isArray(tree) || (type.kind === 'tuple' && tree.length !== type.elements.length)) break
      return tree.map((element, index) => fromTree(memberType(type, index), element, `${path}[${index}]`))
    case 'map':
      if (!(tree instanceof Map)) break
      return new Map([...tree].map(([key, member]) => [String(key).normalize('NFC'), fromTree(type.element, member, `${path}[…]`)]))
    case 'object': {
      if (!(tree instanceof Map)) break
      for (const name of tree.keys())
        if (!type.attributes.has(String(name))) throw new ValueError(`${path}.${String(name)} is not in the schema`)
      // What a state of an older schema lacks was not set.
      return new Map([...type.attributes].map(([name, of]) => [name, fromTree(of, tree.get(name) ?? null, `${path}.${name}`)]))
    }
    default:
      return type satisfies never
  }
  throw new ValueError(`${path === '' ? 'the value' : path} is not of type ${type.kind}`)
}

const plain = (tree: unknown): unknown =>
  tree instanceof Map
    ? Object.fromEntries([...tree].map(([key, member]) => [key, plain(member)]))
    : Array.isArray(tree)
      ? tree.map(plain)
      : tree
