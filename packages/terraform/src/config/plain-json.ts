import type { JsonValue } from '@weft/api'
import { parseExactJson } from '../value/exact-json.ts'
import { exactJson } from '../value/exact-json-text.ts'
import { decodeJson } from '../value/json.ts'
import type { Type } from '../value/type.ts'
import { typeToJson } from '../value/type-json.ts'
import type { Value } from '../value/value.ts'
import { dynamicOf } from './dynamic.ts'
import { Dynamic } from '../value/value.ts'

/** A value from JSON that does not tell the types of what is dynamic in it, as `tofu show -json` writes it: they are told by the values. */
export const decodePlain = (type: Type, json: string): Value => decodeJson(type, exactJson(withTypes(type, parseExactJson(json))))

function withTypes(type: Type, tree: unknown): unknown {
  if (tree === null || tree === undefined) return null
  switch (type.kind) {
    case 'dynamic': {
      const dynamic = dynamicOf(JSON.parse(exactJson(tree)) as JsonValue)
      return dynamic instanceof Dynamic
        ? new Map<string, unknown>([
            ['type', parseExactJson(JSON.stringify(typeToJson(dynamic.type)))],
            ['value', tree],
          ])
        : null
    }
    case 'list':
    case 'set':
      return Array.isArray(tree) ? tree.map((each) => withTypes(type.element, each)) : tree
    case 'tuple':
      return Array.isArray(tree) ? tree.map((each, i) => withTypes(type.elements[i] ?? { kind: 'dynamic' }, each)) : tree
    case 'map':
      return tree instanceof Map ? new Map([...tree].map(([key, each]) => [key, withTypes(type.element, each)])) : tree
    case 'object':
      return tree instanceof Map
        ? new Map([...tree].map(([key, each]) => [key, withTypes(type.attributes.get(String(key)) ?? { kind: 'string' }, each)]))
        : tree
    default:
      return tree
  }
}
