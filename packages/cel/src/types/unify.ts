import { DYN, type CelType } from './type.ts'
import { sameType } from './type.ts'

/** What is known about type variables, by name. A trial that fails is undone, so that it costs no copy of all that is known. */
export class Substitution {
  readonly #known = new Map<string, CelType>()
  readonly #changes: { readonly name: string; readonly before: CelType | undefined }[] = []

  get(name: string): CelType | undefined {
    return this.#known.get(name)
  }

  set(name: string, type: CelType): void {
    this.#changes.push({ name, before: this.#known.get(name) })
    this.#known.set(name, type)
  }

  /** Runs `attempt` and takes back what it set unless it answers true. */
  try(attempt: () => boolean): boolean {
    const start = this.#changes.length
    if (attempt()) return true
    while (this.#changes.length > start) {
      const change = this.#changes.pop()
      if (change === undefined) break
      if (change.before === undefined) this.#known.delete(change.name)
      else this.#known.set(change.name, change.before)
    }
    return false
  }
}

/** Can every type of `from` stand where `to` is expected? On success what was learnt is added to `known`. */
export function assignableAll(known: Substitution, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false
  return known.try(() => from.every((type, i) => assign(known, type, to[i] ?? DYN)))
}

export const assignable = (known: Substitution, from: CelType, to: CelType): boolean => assignableAll(known, [from], [to])

function assign(known: Substitution, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { fits, bound } = bind(known, a, b)
    if (fits) return true
    if (bound) return false
  }
  if (a.kind === 'param') return bind(known, b, a).fits
  if (isDyn(a) || isDyn(b)) return true
  if (a.kind === 'null') return acceptsNull(b)
  if (b.kind === 'null') return acceptsNull(a)
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && assign(known, a.elem, b.elem)
    case 'map':
      return b.kind === 'map' && assign(known, a.key, b.key) && assign(known, a.value, b.value)
    case 'opaque':
      return (
        b.kind === 'opaque' &&
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((p, i) => assign(known, p, b.params[i] ?? DYN))
      )
    case 'object':
      return b.kind === 'object' && a.name === b.name
    default:
      return true
  }
}

/** Tries `type` as the value of the variable `param`. */
function bind(known: Substitution, type: CelType, param: CelType & { kind: 'param' }): { fits: boolean; bound: boolean } {
  if (type.kind === 'param' && type.name === param.name) return { fits: true, bound: true }
  const current = known.get(param.name)
  if (current !== undefined) {
    if (sameType(type, current)) return { fits: true, bound: true }
    if (!assign(known, type, current)) return { fits: false, bound: true }
    const general = lessSpecific(type, current) ? type : current
    if (!occurs(known, param.name, general)) known.set(param.name, general)
    return { fits: true, bound: true }
  }
  if (occurs(known, param.name, type)) return { fits: false, bound: false }
  known.set(param.name, type)
  return { fits: true, bound: false }
}

const isDyn = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'error'
const acceptsNull = (type: CelType): boolean => ['null', 'opaque', 'object', 'duration', 'timestamp'].includes(type.kind)

/** Is `a` the same as `b` or more general? */
export function lessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true
  if (isDyn(b) || b.kind === 'param') return false
  // Null stands for "some nullable type": the other one says more.
  if (a.kind === 'null') return b.kind === 'null'
  if (b.kind === 'null') return acceptsNull(a)
  if (a.kind === 'list' && b.kind === 'list') return lessSpecific(a.elem, b.elem)
  if (a.kind === 'map' && b.kind === 'map') return lessSpecific(a.key, b.key) && lessSpecific(a.value, b.value)
  if (a.kind === 'opaque' && b.kind === 'opaque') {
    return a.name === b.name && a.params.length === b.params.length && a.params.every((p, i) => lessSpecific(p, b.params[i] ?? DYN))
  }
  return sameType(a, b)
}

function occurs(known: Substitution, name: string, type: CelType): boolean {
  switch (type.kind) {
    case 'param': {
      if (type.name === name) return true
      const bound = known.get(type.name)
      return bound !== undefined && occurs(known, name, bound)
    }
    case 'list':
      return occurs(known, name, type.elem)
    case 'map':
      return occurs(known, name, type.key) || occurs(known, name, type.value)
    case 'opaque':
      return type.params.some((p) => occurs(known, name, p))
    case 'type':
      return type.of !== undefined && occurs(known, name, type.of)
    default:
      return false
  }
}

/** `type` with known variables replaced; with `open: 'dyn'` the unknown ones become dyn. */
export function substitute(known: Substitution, type: CelType, open: 'dyn' | 'keep' = 'keep'): CelType {
  switch (type.kind) {
    case 'param': {
      const bound = known.get(type.name)
      if (bound !== undefined) return substitute(known, bound, open)
      return open === 'dyn' ? DYN : type
    }
    case 'list':
      return { kind: 'list', elem: substitute(known, type.elem, open) }
    case 'map':
      return { kind: 'map', key: substitute(known, type.key, open), value: substitute(known, type.value, open) }
    case 'opaque':
      return type.params.length === 0 ? type : { ...type, params: type.params.map((p) => substitute(known, p, open)) }
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: substitute(known, type.of, open) }
    default:
      return type
  }
}

/** `type` with its own variables renamed by `fresh`, so that two uses of one overload do not share them. */
export function rename(type: CelType, fresh: (name: string) => CelType): CelType {
  switch (type.kind) {
    case 'param':
      return fresh(type.name)
    case 'list':
      return { kind: 'list', elem: rename(type.elem, fresh) }
    case 'map':
      return { kind: 'map', key: rename(type.key, fresh), value: rename(type.value, fresh) }
    case 'opaque':
      return type.params.length === 0 ? type : { ...type, params: type.params.map((p) => rename(p, fresh)) }
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: rename(type.of, fresh) }
    default:
      return type
  }
}
