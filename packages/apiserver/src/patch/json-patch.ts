import { badRequest, deepEqual, getOwn, isJsonObject, requestEntityTooLarge, setOwn, stringifyJson } from '@weft/api'
import { jsonKind } from './json-kind.ts'
import { changeAt, DoesNotApply, listIndex, parsePointer, valueAt } from './json-pointer.ts'
import { unprocessable } from './unprocessable.ts'

const MAX_OPERATIONS = 10_000
/** How much `copy` may add to a document: a short patch must not grow one without bound. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024

type Operation = Readonly<Record<string, unknown>>

/**
 * RFC 6902 with kube-apiserver's liberties: negative indices count from the end; `replace` of a missing member adds
 * it; a missing `value` is null; `test` of a missing member against null holds. All or nothing, and `document` is not
 * touched. Throws 400 for what is not a patch, 413 for too many operations, 422 for one that does not apply.
 */
export function jsonPatch(document: unknown, operations: unknown): unknown {
  const list = decodeOperations(operations)
  if (list.length > MAX_OPERATIONS) {
    throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${list.length}`)
  }
  const copied = { bytes: 0 }
  try {
    return list.reduce((current: unknown, operation) => applyOperation(current, operation, copied), document)
  } catch (error) {
    if (error instanceof DoesNotApply) throw unprocessable(error)
    throw error
  }
}

function decodeOperations(operations: unknown): readonly Operation[] {
  if (operations === null) return []
  if (!Array.isArray(operations)) throw undecodable(operations, 'Go value of type []handlers.jsonPatchOp')
  return (operations as readonly unknown[]).map((operation) => {
    if (operation === null) return {}
    if (!isJsonObject(operation)) throw undecodable(operation, 'Go value of type handlers.jsonPatchOp')
    for (const name of ['op', 'path', 'from']) {
      const value = getOwn(operation, name)
      if (value !== undefined && value !== null && typeof value !== 'string')
        throw undecodable(value, `Go struct field jsonPatchOp.${name} of type string`)
    }
    return operation
  })
}

const undecodable = (value: unknown, target: string): Error =>
  badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(value)} into ${target}`)

function applyOperation(document: unknown, operation: Operation, copied: { bytes: number }): unknown {
  switch (getOwn(operation, 'op')) {
    case 'add':
      return add(document, stepsOf(operation, 'path'), valueOf(operation))
    case 'remove':
      return remove(document, stepsOf(operation, 'path'))
    case 'replace':
      return replace(document, operation)
    case 'move': {
      const from = stepsOf(operation, 'from')
      return add(remove(document, from), stepsOf(operation, 'path'), resolve(document, from) ?? null)
    }
    case 'copy': {
      const value = resolve(document, stepsOf(operation, 'from')) ?? null
      if (value !== null) copied.bytes += Buffer.byteLength(stringifyJson(value))
      if (copied.bytes > MAX_COPIED_BYTES) throw new DoesNotApply('copies too much')
      return add(document, stepsOf(operation, 'path'), value)
    }
    case 'test':
      test(document, operation)
      return document
    default:
      throw new DoesNotApply('unknown operation')
  }
}

function pointerOf(operation: Operation, name: 'path' | 'from'): string {
  const pointer = getOwn(operation, name)
  if (typeof pointer !== 'string') throw new DoesNotApply(`${name} is missing`)
  return pointer
}

function stepsOf(operation: Operation, name: 'path' | 'from'): readonly string[] {
  const steps = parsePointer(pointerOf(operation, name))
  if (steps === undefined) throw new DoesNotApply(`${name} is the whole document`)
  return steps
}

const valueOf = (operation: Operation): unknown => getOwn(operation, 'value') ?? null

function resolve(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => valueAt(value, step), document)
}

function add(document: unknown, steps: readonly string[], value: unknown): unknown {
  return changeAt(document, steps, (container, step) => {
    if (!Array.isArray(container)) setOwn(container, step, value)
    else container.splice(step === '-' ? container.length : listIndex(step, container.length + 1), 0, value)
  })
}

function remove(document: unknown, steps: readonly string[]): unknown {
  return changeAt(document, steps, (container, step) => {
    if (Array.isArray(container)) container.splice(listIndex(step, container.length), 1)
    else if (Object.hasOwn(container, step)) delete container[step]
    else throw new DoesNotApply(`nothing to remove at ${step}`)
  })
}

function replace(document: unknown, operation: Operation): unknown {
  const value = valueOf(operation)
  if (pointerOf(operation, 'path') === '') {
    if (typeof value !== 'object' || value === null) throw new DoesNotApply('a document is an object or a list')
    return value
  }
  return changeAt(document, stepsOf(operation, 'path'), (container, step) => {
    if (Array.isArray(container)) container[listIndex(step, container.length)] = value
    else setOwn(container, step, value)
  })
}

function test(document: unknown, operation: Operation): void {
  const actual = pointerOf(operation, 'path') === '' ? document : resolve(document, stepsOf(operation, 'path'))
  if (!deepEqual(actual ?? null, valueOf(operation))) throw new DoesNotApply('test failed')
}
