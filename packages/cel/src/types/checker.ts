import { Double, Uint, type Value } from '../eval/value.ts'
import type { Overload, StructDecl } from '../library/library.ts'
import {
  qualifiedName,
  type CallExpr,
  type Expr,
  type FoldExpr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  type StructExpr,
} from '../syntax/ast.ts'
import type { Declarations, Declared } from './declarations.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  NULL,
  STRING,
  UINT,
  formatType,
  listType,
  mapType,
  optionalElement,
  optionalType,
  paramType,
  sameType,
  type CelType,
} from './type.ts'
import { Substitution, assignable, assignableAll, lessSpecific, rename, substitute } from './unify.ts'

/** What a node refers to. */
export type Reference =
  | { readonly kind: 'name'; readonly declared: Declared }
  | { readonly kind: 'struct'; readonly struct: StructDecl }
  /** `namespaced`: the receiver was part of the function's name. */
  | { readonly kind: 'call'; readonly fn: string; readonly overloads: readonly Overload[]; readonly namespaced: boolean }

export interface Checked {
  readonly type: CelType
  readonly types: ReadonlyMap<number, CelType>
  readonly references: ReadonlyMap<number, Reference>
  readonly problems: readonly { readonly at: number; readonly message: string }[]
}

export interface CheckOptions {
  /** Refuse `[1, 'a']` and the like, as Kubernetes does. */
  readonly homogeneousLiterals?: boolean
  /** Only resolve names; every type is dyn. Then only an unknown name or function is a problem. */
  readonly namesOnly?: boolean
}

export function check(expr: Expr, declarations: Declarations, options: CheckOptions): Checked {
  return new Checker(declarations, options).run(expr)
}

class Checker {
  readonly #declarations: Declarations
  readonly #options: CheckOptions
  readonly #types = new Map<number, CelType>()
  readonly #references = new Map<number, Reference>()
  readonly #problems: { at: number; message: string }[] = []
  readonly #known = new Substitution()
  readonly #scopes: Map<string, CelType>[] = []
  readonly #literals: (readonly LiteralMember[])[] = []
  #fresh = 0
  #mixedAllowed = 0

  constructor(declarations: Declarations, options: CheckOptions) {
    this.#declarations = declarations
    this.#options = options
  }

  run(expr: Expr): Checked {
    const type = this.#check(expr)
    for (const [id, open] of this.#types) this.#types.set(id, substitute(this.#known, open, 'dyn'))
    if (this.#problems.length === 0) for (const members of this.#literals) this.#sameTypes(members)
    return {
      type: substitute(this.#known, type, 'dyn'),
      types: this.#types,
      references: this.#references,
      problems: this.#problems.toSorted((a, b) => a.at - b.at),
    }
  }

  #check(expr: Expr): CelType {
    const type = this.#typeOf(expr)
    this.#types.set(expr.id, type)
    return type
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'const':
        return this.#options.namesOnly === true ? DYN : literalType(expr.value)
      case 'ident':
        return (
          this.#ident(expr, expr.name) ??
          this.#problem(expr.at, `undeclared reference to '${expr.name}' (in container '${this.#declarations.container}')`)
        )
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'fold':
        return this.#fold(expr)
    }
  }

  /** The type of a name; undefined when nothing is called that. */
  #ident(expr: Expr, name: string): CelType | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const type = this.#scopes[i]?.get(name)
      if (type !== undefined) return type
    }
    const declared = this.#declarations.find(name)
    if (declared === undefined) return undefined
    this.#references.set(expr.id, { kind: 'name', declared })
    return this.#options.namesOnly === true ? DYN : declared.type
  }

  #isLocal(name: string): boolean {
    const root = name.split('.', 1)[0] ?? ''
    return this.#scopes.some((scope) => scope.has(root))
  }

  #select(expr: SelectExpr): CelType {
    const name = expr.test ? undefined : qualifiedName(expr)
    if (name !== undefined && !this.#isLocal(name)) {
      const type = this.#ident(expr, name)
      if (type !== undefined) return type
    }
    const operand = substitute(this.#known, this.#check(expr.operand))
    const element = optionalElement(operand)
    const field = this.#fieldType(expr.at, element ?? operand, expr.field)
    if (expr.test) return BOOL
    return element === undefined ? field : optionalType(field)
  }

  #fieldType(at: number, operand: CelType, field: string): CelType {
    switch (operand.kind) {
      case 'map':
        return operand.value
      case 'object':
        return operand.fields.get(field) ?? operand.others ?? this.#problem(at, `undefined field '${field}'`)
      case 'param':
        // Nothing known yet: from here on the variable is dyn.
        assignable(this.#known, operand, DYN)
        return DYN
      case 'dyn':
      case 'error':
        return DYN
      default: {
        const inner = optionalElement(operand)
        if (inner !== undefined) return optionalType(this.#fieldType(at, substitute(this.#known, inner), field))
        return this.#problem(at, `type '${formatType(substitute(this.#known, operand))}' does not support field selection`)
      }
    }
  }

  #call(expr: CallExpr): CelType {
    if (expr.fn === '_?._') return this.#optionalSelect(expr)
    // What is formatted is naturally of mixed types.
    if (expr.fn === 'format') this.#mixedAllowed++
    const args = expr.args.map((arg) => this.#check(arg))
    if (expr.fn === 'format') this.#mixedAllowed--
    if (expr.target === undefined && (expr.fn === '_&&_' || expr.fn === '_||_')) {
      for (const [i, arg] of expr.args.entries()) this.#mustBe(arg, args[i] ?? DYN, BOOL)
      return BOOL
    }
    if (expr.target === undefined) {
      const found = this.#declarations.findFunction(expr.fn)
      if (found === undefined) return this.#undeclaredFunction(expr, expr.fn)
      return this.#resolve(expr, found.name, found.overloads, args, false, false)
    }
    const prefix = qualifiedName(expr.target)
    if (prefix !== undefined && !this.#isLocal(prefix)) {
      const found = this.#declarations.findFunction(`${prefix}.${expr.fn}`)
      if (found !== undefined) return this.#resolve(expr, found.name, found.overloads, args, false, true)
    }
    const target = this.#check(expr.target)
    const found = this.#declarations.findFunction(expr.fn)
    if (found === undefined) return this.#undeclaredFunction(expr, expr.fn)
    return this.#resolve(expr, found.name, found.overloads, [target, ...args], true, false)
  }

  #undeclaredFunction(expr: CallExpr, name: string): CelType {
    return this.#problem(expr.at, `undeclared reference to '${name}' (in container '${this.#declarations.container}')`)
  }

  /** `a.?b`: the field's type in an optional, whether or not `a` is one already. */
  #optionalSelect(expr: CallExpr): CelType {
    const [operandExpr, fieldExpr] = expr.args
    if (operandExpr === undefined || fieldExpr?.kind !== 'const' || typeof fieldExpr.value !== 'string') {
      return this.#problem(expr.at, 'unsupported optional field selection')
    }
    this.#check(fieldExpr)
    const operand = substitute(this.#known, this.#check(operandExpr))
    const field = this.#fieldType(expr.at, optionalElement(operand) ?? operand, fieldExpr.value)
    return this.#options.namesOnly === true ? DYN : optionalType(field)
  }

  #resolve(
    expr: CallExpr,
    fn: string,
    overloads: readonly Overload[],
    args: readonly CelType[],
    member: boolean,
    namespaced: boolean,
  ): CelType {
    let result: CelType | undefined
    const matching: Overload[] = []
    for (const candidate of overloads) {
      if (candidate.member !== member || candidate.args.length !== args.length) continue
      if (candidate.args.some((declared, i) => plainlyDiffers(args[i], declared))) continue
      const names = new Map<string, CelType>()
      const fresh = (name: string): CelType => {
        const known = names.get(name) ?? paramType(`_var${this.#fresh++}`)
        names.set(name, known)
        return known
      }
      if (
        !assignableAll(
          this.#known,
          args,
          candidate.args.map((arg) => rename(arg, fresh)),
        )
      )
        continue
      matching.push(candidate)
      const type = substitute(this.#known, rename(candidate.result, fresh))
      if (result === undefined) result = type
      else if (result.kind !== 'dyn' && !sameType(result, type)) result = DYN
    }
    if (result === undefined) {
      const shown = args.map((arg) => formatType(substitute(this.#known, arg, 'dyn')))
      const signature = member ? `${shown[0] ?? ''}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`
      return this.#problem(expr.at, `found no matching overload for '${fn}' applied to '${signature}'`)
    }
    this.#references.set(expr.id, { kind: 'call', fn, overloads: matching, namespaced })
    return this.#options.namesOnly === true ? DYN : result
  }

  #list(expr: ListExpr): CelType {
    let elem: CelType | undefined
    for (const [i, element] of expr.elements.entries()) {
      const type = this.#element(element, expr.optional.has(i))
      elem = elem === undefined ? type : this.#join(element.at, elem, type)
    }
    this.#remember(expr.elements.map((element, i) => ({ expr: element, optional: expr.optional.has(i) })))
    return this.#options.namesOnly === true ? DYN : listType(elem ?? this.#freshParam())
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined
    let value: CelType | undefined
    for (const entry of expr.entries) {
      const keyType = this.#check(entry.key)
      key = key === undefined ? keyType : this.#join(entry.key.at, key, keyType)
      const valueType = this.#element(entry.value, entry.optional)
      value = value === undefined ? valueType : this.#join(entry.value.at, value, valueType)
    }
    this.#remember(expr.entries.map((entry) => ({ expr: entry.key, optional: false })))
    this.#remember(expr.entries.map((entry) => ({ expr: entry.value, optional: entry.optional })))
    if (this.#options.namesOnly === true) return DYN
    return mapType(key ?? this.#freshParam(), value ?? this.#freshParam())
  }

  /** `Name{field: value}`. */
  #struct(expr: StructExpr): CelType {
    const struct = this.#declarations.findStruct(expr.name)
    if (struct === undefined) {
      const declared = this.#declarations.find(expr.name)
      if (declared === undefined)
        return this.#problem(expr.at, `undeclared reference to '${expr.name}' (in container '${this.#declarations.container}')`)
      return this.#problem(
        expr.at,
        declared.kind === 'constant' ? `'${expr.name}' is not a message type` : `'${formatType(declared.type)}' is not a type`,
      )
    }
    this.#references.set(expr.id, { kind: 'struct', struct })
    for (const field of expr.fields) {
      const value = this.#element(field.value, field.optional)
      const wanted = this.#fieldType(field.at, struct.type, field.field)
      if (assignable(this.#known, value, wanted)) continue
      const [expects, found] = [wanted, value].map((type) => formatType(substitute(this.#known, type)))
      this.#problem(field.at, `expected type of field '${field.field}' is '${expects}' but provided type is '${found}'`)
    }
    return this.#options.namesOnly === true ? DYN : struct.type
  }

  #element(expr: Expr, optional: boolean): CelType {
    const type = substitute(this.#known, this.#check(expr))
    if (!optional || type.kind === 'dyn' || type.kind === 'error') return optional ? DYN : type
    return optionalElement(type) ?? this.#mismatch(expr.at, optionalType(type), type)
  }

  /** A literal that must not mix types does not mix anything with dyn either, which goes with all of them otherwise. */
  #sameTypes(members: readonly LiteralMember[]): void {
    let first: CelType | undefined
    for (const { expr, optional } of members) {
      const type = this.#types.get(expr.id) ?? DYN
      const member = optional ? (optionalElement(type) ?? type) : type
      first ??= member
      if (!sameType(first, member)) {
        this.#mismatch(expr.at, first, member)
        return
      }
    }
  }

  #remember(members: readonly LiteralMember[]): void {
    if (members.length > 1 && this.#options.homogeneousLiterals === true && this.#options.namesOnly !== true && this.#mixedAllowed === 0)
      this.#literals.push(members)
  }

  #join(at: number, previous: CelType, current: CelType): CelType {
    if (assignable(this.#known, previous, current)) return lessSpecific(previous, current) ? previous : current
    if (this.#options.homogeneousLiterals !== true || this.#mixedAllowed > 0) return DYN
    this.#mismatch(at, previous, current)
    return ERROR
  }

  #fold(expr: FoldExpr): CelType {
    const range = this.#check(expr.range)
    const init = this.#check(expr.init)
    const [first, second] = this.#iterated(expr, range)
    this.#scopes.push(new Map([[expr.accuVar, init]]))
    const variables = new Map<string, CelType>()
    if (expr.iterVar2 === undefined) variables.set(expr.iterVar, first)
    else {
      const isList = substitute(this.#known, range).kind === 'list'
      variables.set(expr.iterVar, isList ? INT : first)
      variables.set(expr.iterVar2, second)
    }
    this.#scopes.push(variables)
    this.#mustBe(expr.cond, this.#check(expr.cond), BOOL)
    const step = this.#check(expr.step)
    this.#mustBe(expr.step, step, init)
    this.#scopes.pop()
    const result = this.#check(expr.result)
    this.#scopes.pop()
    return substitute(this.#known, result)
  }

  /** The types of the variables: element (list) or key and value (map). */
  #iterated(expr: FoldExpr, open: CelType): readonly [CelType, CelType] {
    const range = substitute(this.#known, open)
    switch (range.kind) {
      case 'list':
        return [range.elem, range.elem]
      case 'map':
        return [range.key, range.value]
      case 'param':
        assignable(this.#known, range, DYN)
        return [DYN, DYN]
      case 'dyn':
      case 'error':
        return [DYN, DYN]
      default:
        this.#problem(
          expr.range.at,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return [ERROR, ERROR]
    }
  }

  #mustBe(expr: Expr, type: CelType, wanted: CelType): void {
    if (!assignable(this.#known, type, wanted)) this.#mismatch(expr.at, wanted, type)
  }

  #mismatch(at: number, expected: CelType, actual: CelType): CelType {
    const show = (type: CelType): string => formatType(substitute(this.#known, type))
    return this.#problem(at, `expected type '${show(expected)}' but found '${show(actual)}'`)
  }

  #freshParam(): CelType {
    return paramType(`_var${this.#fresh++}`)
  }

  #problem(at: number, message: string): CelType {
    this.#problems.push({ at, message })
    return ERROR
  }
}

interface LiteralMember {
  readonly expr: Expr
  readonly optional: boolean
}

const OPEN: ReadonlySet<string> = new Set(['dyn', 'error', 'null', 'param'])

/** Most overloads of an operator are ruled out at a glance. */
function plainlyDiffers(actual: CelType | undefined, declared: CelType): boolean {
  return actual !== undefined && actual.kind !== declared.kind && !OPEN.has(actual.kind) && !OPEN.has(declared.kind)
}

function literalType(value: Value): CelType {
  if (value === null) return NULL
  if (typeof value === 'boolean') return BOOL
  if (typeof value === 'string') return STRING
  if (typeof value === 'number' || typeof value === 'bigint') return INT
  if (value instanceof Uint) return UINT
  if (value instanceof Double) return DOUBLE
  return value instanceof Uint8Array ? BYTES : DYN
}
