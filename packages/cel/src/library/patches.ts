import { StructValue } from '../eval/struct-value.ts'
import { DYN, STRING, objectType, type ObjectType } from '../types/type.ts'
import { fn, overload, type Library, type StructDecl } from './library.ts'

/** What an expression for an apply configuration answers. */
export const PATCH_OBJECT: ObjectType = { ...objectType('Object', []), others: DYN }

/** An operation of a JSON patch. */
export const PATCH_OPERATION: ObjectType = objectType('JSONPatch', [
  ['op', STRING],
  ['path', STRING],
  ['from', STRING],
  ['value', DYN],
])

const declOf = (type: ObjectType): StructDecl => ({ type, make: (fields) => new StructValue(type, fields) })
const OBJECT = declOf(PATCH_OBJECT)
const OPERATION = declOf(PATCH_OPERATION)

/** Texts this long cost by their length; Kubernetes charges one for any. */
const LONG_KEY = 10_000

/**
 * What the mutations of a policy are written with: `Object{spec: Object.spec{…}}`, where the name of a type repeats the
 * path to the field and any field may be given, and `JSONPatch{op: …, path: …, value: …}`.
 */
export const PATCHES: Library = {
  name: 'patches',
  structs(name) {
    if (name === 'JSONPatch') return OPERATION
    if (name === 'Object') return OBJECT
    return name.startsWith('Object.') ? declOf({ ...PATCH_OBJECT, name }) : undefined
  },
  functions: [
    fn(
      'jsonpatch.escapeKey',
      overload(
        'string_jsonpatch_escapeKey_string',
        [STRING],
        STRING,
        (key: string) => key.replace(/[~/]/g, (character) => (character === '~' ? '~0' : '~1')),
        { cost: ([key]) => (typeof key === 'string' && key.length > LONG_KEY ? Math.ceil(key.length * 0.1) : 1) },
      ),
    ),
  ],
}
