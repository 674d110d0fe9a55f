import {
  badRequest,
  deepEqual,
  getOwn,
  isDeeperThan,
  isJsonObject,
  jsonSize,
  MAX_JSON_DEPTH,
  requestEntityTooLarge,
  setOwn,
} from '@weft/api'
import { jsonKind } from './json-kind.ts'
import { DoesNotApply, LeadsNowhere, listIndex, parsePointer, TestFailed, valueAt } from './json-pointer.ts'
import { PatchedDocument } from './patched-document.ts'
import { unprocessable } from './unprocessable.ts'

const MAX_OPERATIONS = 10_000
/** How much `copy` may add to a document: a short patch must not grow one without bound. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024
/** How many items all operations together may push aside in lists: each insertion at the front of a long one moves the whole. */
const MAX_MOVED_ITEMS = 20_000_000

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
  const work = new PatchedDocument(document)
  try {
    const spent = { bytes: 0 }
    for (const operation of list) applyOperation(work, operation, spent)
    if (list.length > 0 && isDeeperThan(work.root, MAX_JSON_DEPTH)) throw new DoesNotApply('the result is nested too deeply')
    return work.root
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

function applyOperation(work: PatchedDocument, operation: Operation, copied: { bytes: number }): void {
  const addTo = (value: unknown): void => at(operation, 'path', (steps) => add(work, steps, value))
  switch (getOwn(operation, 'op')) {
    case 'add':
      addTo(valueOf(operation))
      return
    case 'remove':
      at(operation, 'path', (steps) => remove(work, steps))
      return
    case 'replace':
      replace(work, operation)
      return
    case 'move': {
      const value = at(operation, 'from', (steps) => {
        const moved = resolve(work.root, steps) ?? null
        remove(work, steps)
        return moved
      })
      addTo(value)
      return
    }
    case 'copy': {
      const value = at(operation, 'from', (steps) => resolve(work.root, steps) ?? null)
      if (value !== null) copied.bytes += jsonSize(value, MAX_COPIED_BYTES)
      if (copied.bytes > MAX_COPIED_BYTES) throw new DoesNotApply('copies too much')
      // From now on it is in two places, and a change to one must not show in the other.
      work.share(value)
      addTo(value)
      return
    }
    case 'test':
      test(work.root, operation)
      return
    default:
      throw new DoesNotApply('unknown operation')
  }
}

function pointerOf(operation: Operation, name: 'path' | 'from'): string {
  const pointer = getOwn(operation, name)
  if (typeof pointer !== 'string') throw new DoesNotApply(`${name} is missing`)
  return pointer
}

/** Does something where a pointer leads. Where it leads nowhere, kube-apiserver's words say so. */
function at<T>(operation: Operation, name: 'path' | 'from', work: (steps: readonly string[]) => T): T {
  const pointer = pointerOf(operation, name)
  const steps = parsePointer(pointer)
  if (steps === undefined) throw new DoesNotApply(`${name} is the whole document`)
  try {
    return work(steps)
  } catch (error) {
    if (error instanceof LeadsNowhere) throw new DoesNotApply(`${missing(String(getOwn(operation, 'op')), name, pointer)}: missing value`)
    throw error
  }
}

function missing(op: string, name: 'path' | 'from', pointer: string): string {
  const begun = `${op} operation does not apply:`
  switch (op) {
    case 'test':
      return `${begun} is missing path: ${pointer}`
    case 'replace':
      return `${begun} doc is missing path: ${pointer}`
    case 'move':
    case 'copy':
      return `${begun} doc is missing ${name === 'from' ? 'from' : 'destination'} path: ${pointer}`
    default:
      return `${begun} doc is missing path: "${pointer}"`
  }
}

const valueOf = (operation: Operation): unknown => getOwn(operation, 'value') ?? null

function resolve(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => valueAt(value, step), document)
}

function add(work: PatchedDocument, steps: readonly string[], value: unknown): void {
  work.change(steps, (container, step) => {
    if (!Array.isArray(container)) setOwn(container, step, value)
    else if (step === '-') container.push(value)
    else spliceAt(work, container, listIndex(step, container.length + 1), 0, value)
  })
}

function remove(work: PatchedDocument, steps: readonly string[]): void {
  work.change(steps, (container, step) => {
    if (Array.isArray(container)) spliceAt(work, container, listIndex(step, container.length), 1)
    else if (Object.hasOwn(container, step)) delete container[step]
    else throw new DoesNotApply(`nothing to remove at ${step}`)
  })
}

function spliceAt(work: PatchedDocument, list: unknown[], index: number, removed: number, ...added: unknown[]): void {
  work.moved += list.length - index
  if (work.moved > MAX_MOVED_ITEMS)
    throw requestEntityTooLarge(
      'The JSON patch inserts into or removes from long lists too often: replace the list as a whole, or send a merge patch',
    )
  list.splice(index, removed, ...added)
}

function replace(work: PatchedDocument, operation: Operation): void {
  const value = valueOf(operation)
  if (pointerOf(operation, 'path') === '') {
    if (typeof value !== 'object' || value === null) throw new DoesNotApply('a document is an object or a list')
    work.root = value
    return
  }
  at(operation, 'path', (steps) =>
    work.change(steps, (container, step) => {
      if (Array.isArray(container)) container[listIndex(step, container.length)] = value
      else setOwn(container, step, value)
    }),
  )
}

function test(document: unknown, operation: Operation): void {
  const actual = pointerOf(operation, 'path') === '' ? document : at(operation, 'path', (steps) => resolve(document, steps))
  if (!deepEqual(actual ?? null, valueOf(operation))) throw new TestFailed('test failed')
}
