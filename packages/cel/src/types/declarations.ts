import { TypeValue, type Value } from '../eval/value.ts'
import type { FunctionDecl, Library, Overload } from '../library/library.ts'
import type { Macro } from '../syntax/macro.ts'
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT, listType, mapType, typeType, type CelType } from './type.ts'

/** What a name stands for. */
export type Declared =
  | { readonly kind: 'variable'; readonly name: string; readonly type: CelType }
  | { readonly kind: 'constant'; readonly name: string; readonly type: CelType; readonly value: Value }

const TYPE_NAMES: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  list: listType(DYN),
  map: mapType(DYN, DYN),
  null_type: NULL,
  type: typeType(),
  'google.protobuf.Timestamp': TIMESTAMP,
  'google.protobuf.Duration': DURATION,
}

/** Every name an environment declares, indexed once; environments share it between compilations. */
export class Declarations {
  readonly macros: readonly Macro[]
  readonly container: string
  readonly #variables: ReadonlyMap<string, CelType>
  readonly #types = new Map<string, Declared>()
  readonly #functions = new Map<string, Overload[]>()

  constructor(variables: ReadonlyMap<string, CelType>, libraries: readonly Library[], macros: readonly Macro[], container: string) {
    this.#variables = variables
    this.container = container
    this.macros = [...macros, ...libraries.flatMap((library) => library.macros ?? [])]
    for (const [name, type] of Object.entries(TYPE_NAMES)) this.#addType(name, type)
    for (const library of libraries) {
      for (const decl of library.functions ?? []) this.#addFunction(decl)
      for (const [name, type] of Object.entries(library.types ?? {})) this.#addType(name, type)
    }
  }

  /** Finds a name, trying the container's namespaces from the innermost out; a leading dot means the outermost. */
  find(name: string): Declared | undefined {
    for (const candidate of this.#candidates(name)) {
      const type = this.#variables.get(candidate)
      if (type !== undefined) return { kind: 'variable', name: candidate, type }
      const constant = this.#types.get(candidate)
      if (constant !== undefined) return constant
    }
    return undefined
  }

  findFunction(name: string): { readonly name: string; readonly overloads: readonly Overload[] } | undefined {
    for (const candidate of this.#candidates(name)) {
      const overloads = this.#functions.get(candidate)
      if (overloads !== undefined) return { name: candidate, overloads }
    }
    return undefined
  }

  #candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)]
    if (this.container === '') return [name]
    const parts = this.container.split('.')
    return [...parts.map((_, i) => `${parts.slice(0, parts.length - i).join('.')}.${name}`), name]
  }

  #addType(name: string, type: CelType): void {
    this.#types.set(name, { kind: 'constant', name, type: typeType(type), value: new TypeValue(name) })
  }

  #addFunction(decl: FunctionDecl): void {
    const known = this.#functions.get(decl.name)
    if (known === undefined) this.#functions.set(decl.name, [...decl.overloads])
    else known.push(...decl.overloads.filter((added) => !known.some((old) => old.id === added.id)))
  }
}
