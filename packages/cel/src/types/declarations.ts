import { TypeValue, type Value } from '../eval/value.ts'
import type { FunctionDecl, Library, Overload, StructDecl } from '../library/library.ts'
import type { Macro } from '../syntax/macro.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  UINT,
  listType,
  mapType,
  typeType,
  type CelType,
} from './type.ts'

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

/** Functions and type names of a set of libraries, indexed once and shared by every environment that uses the set. */
export class Vocabulary {
  readonly macros: readonly Macro[]
  readonly types: ReadonlyMap<string, Declared>
  readonly functions: ReadonlyMap<string, readonly Overload[]>
  readonly #structs: readonly NonNullable<Library['structs']>[]

  constructor(libraries: readonly Library[], macros: readonly Macro[]) {
    const types = new Map<string, Declared>()
    const functions = new Map<string, Overload[]>()
    this.macros = [...macros, ...libraries.flatMap((library) => library.macros ?? [])]
    this.types = types
    this.functions = functions
    this.#structs = libraries.flatMap(({ structs }) => (structs === undefined ? [] : [structs]))
    for (const [name, type] of Object.entries(TYPE_NAMES)) types.set(name, typeConstant(name, type))
    for (const library of libraries) {
      for (const decl of library.functions ?? []) addFunction(functions, decl)
      for (const [name, type] of Object.entries(library.types ?? {})) types.set(name, typeConstant(name, type))
    }
  }

  struct(name: string): StructDecl | undefined {
    for (const find of this.#structs) {
      const found = find(name)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const typeConstant = (name: string, type: CelType): Declared => ({
  kind: 'constant',
  name,
  type: typeType(type),
  value: new TypeValue(name),
})

function addFunction(functions: Map<string, Overload[]>, decl: FunctionDecl): void {
  const known = functions.get(decl.name)
  if (known === undefined) functions.set(decl.name, [...decl.overloads])
  else known.push(...decl.overloads.filter((added) => !known.some((old) => old.id === added.id)))
}

/** Every name an expression may use. */
export class Declarations {
  readonly container: string
  readonly vocabulary: Vocabulary
  readonly #variables: ReadonlyMap<string, CelType>

  constructor(vocabulary: Vocabulary, variables: ReadonlyMap<string, CelType>, container: string) {
    this.vocabulary = vocabulary
    this.#variables = variables
    this.container = container
  }

  get macros(): readonly Macro[] {
    return this.vocabulary.macros
  }

  /** Finds a name, trying the container's namespaces from the innermost out; a leading dot means the outermost. */
  find(name: string): Declared | undefined {
    for (const candidate of this.#candidates(name)) {
      const type = this.#variables.get(candidate)
      if (type !== undefined) return { kind: 'variable', name: candidate, type }
      const constant = this.vocabulary.types.get(candidate)
      if (constant !== undefined) return constant
      const struct = this.vocabulary.struct(candidate)
      if (struct !== undefined) return typeConstant(candidate, struct.type)
    }
    return undefined
  }

  findStruct(name: string): StructDecl | undefined {
    for (const candidate of this.#candidates(name)) {
      // A variable hides a type of the same name.
      if (this.#variables.has(candidate)) return undefined
      const struct = this.vocabulary.struct(candidate)
      if (struct !== undefined) return struct
    }
    return undefined
  }

  findFunction(name: string): { readonly name: string; readonly overloads: readonly Overload[] } | undefined {
    for (const candidate of this.#candidates(name)) {
      const overloads = this.vocabulary.functions.get(candidate)
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
}
