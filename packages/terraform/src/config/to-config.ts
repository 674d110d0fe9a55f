import { getOwn, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@weft/api'
import type { Field, Form } from '../kinds/shape.ts'
import { equalValues, inSetOrder } from '../value/compare-values.ts'
import type { Type } from '../value/type.ts'
import { isMap, isWhollyKnown, UNKNOWN, type Value } from '../value/value.ts'
import { ConfigError, ConfigErrors } from './config-error.ts'
import { dynamicOf, untypedCollection } from './dynamic.ts'
import { scalarOf } from './scalar.ts'
import { NO_SECRETS, readRef, type SecretLookup } from './secret-refs.ts'
import { typeOfForm } from './type-of-form.ts'

export interface ConfigOptions {
  readonly secrets?: SecretLookup | undefined
  /** What they configure, for messages: `aws_vpc of hashicorp/aws 6.0.0`. */
  readonly subject?: string | undefined
  /** Where the parameters are, for messages: `spec.forProvider` unless given. */
  readonly path?: string | undefined
  /** Parameters for the creation only. */
  readonly initial?: JsonObject | undefined
  /** The state of what exists: what only `initial` gives is taken from it, so that it is left as it is. */
  readonly prior?: Value | undefined
  /** For plans of what is not there yet: texts that stand for what nobody knows. Secrets that do not exist are not known either. */
  readonly unknown?: ((text: string) => boolean) | undefined
}

/**
 * Parameters as the configuration that the provider is sent: every name there, null where nothing was given, and nothing added. Throws
 * ConfigErrors with all that is wrong, in the words of the user's object.
 */
export function toConfig(fields: readonly Field[], parameters: JsonObject, options: ConfigOptions = {}): ReadonlyMap<string, Value> {
  const translation = new Translation(options.secrets ?? NO_SECRETS, options)
  const { path = 'spec.forProvider', initial, prior } = options
  const config = translation.fields(fields, parameters, path)
  const whole =
    initial === undefined
      ? config
      : translation.initially(fields, {
          given: parameters,
          initial,
          config,
          initially: translation.fields(fields, initial, 'spec.initProvider'),
          prior: prior ?? null,
        })
  if (translation.errors.length > 0) throw new ConfigErrors(translation.errors)
  return whole
}

/** One value of a form. Throws ConfigErrors, as `toConfig` does. */
export function toValue(form: Form, given: JsonValue, path: string): Value {
  const translation = new Translation(NO_SECRETS)
  const value = translation.value(form, given, path)
  if (translation.errors.length > 0) throw new ConfigErrors(translation.errors)
  return value
}

interface Initially {
  readonly given: JsonObject
  readonly initial: JsonObject
  /** What each of them comes to. */
  readonly config: ReadonlyMap<string, Value>
  readonly initially: ReadonlyMap<string, Value>
  readonly prior: Value
}

class Translation {
  readonly errors: ConfigError[] = []
  readonly #secrets: SecretLookup
  readonly #unknown: ConfigOptions['unknown']
  readonly #subject: string

  constructor(secrets: SecretLookup, { unknown, subject = 'it' }: Pick<ConfigOptions, 'unknown' | 'subject'> = {}) {
    this.#secrets = secrets
    this.#unknown = unknown
    this.#subject = subject
  }

  fields(fields: readonly Field[], given: JsonObject, path: string): ReadonlyMap<string, Value> {
    this.#knowAll(fields, given, path)
    return new Map(fields.map((field) => [field.name, this.#field(field, given, path)]))
  }

  /** The configuration with what is given for the creation only: itself before there is anything, and then whatever is there. */
  initially(fields: readonly Field[], { given, initial, config, initially, prior }: Initially): ReadonlyMap<string, Value> {
    const before = isMap(prior) ? prior : undefined
    return new Map(
      fields.map((field) => {
        const { name, form } = field
        const own = config.get(name) ?? null
        const first = initially.get(name) ?? null
        const there = before?.get(name) ?? null
        const key = field.secretField ?? field.field
        const [mine, theirs] = [getOwn(given, key), getOwn(initial, key)]
        if (theirs === undefined || theirs === null) return [name, own]
        if (mine === undefined || mine === null) return [name, there === null ? first : there]
        if (form.kind !== 'object' || !isJsonObject(mine) || !isJsonObject(theirs) || !isMap(own) || !isMap(first)) return [name, own]
        return [name, this.initially(form.fields, { given: mine, initial: theirs, config: own, initially: first, prior: there })]
      }),
    )
  }

  /**
   * Where a definition says nothing about its inside, nobody else notices a misspelt name; nor one that went with a version of the provider, which
   * definitions keep for those who have it. Read over, it would be a wish to unset what took its place.
   */
  #knowAll(fields: readonly Field[], given: JsonObject, path: string): void {
    const known = new Set(
      fields.flatMap(({ input, field, secretField, reference }) =>
        input === 'none' ? [] : [secretField ?? field, ...(reference === undefined ? [] : [reference.refField, reference.selectorField])],
      ),
    )
    for (const [key, value] of Object.entries(given))
      if (value !== undefined && !known.has(key)) this.#wrong(`${path}.${key}`, ...unknownField(fields, key, this.#subject))
  }

  #field({ input, field, secretField, form, absent }: Field, given: JsonObject, path: string): Value {
    const key = secretField ?? field
    const value = input === 'none' ? undefined : getOwn(given, key)
    if (value === undefined || value === null) return absent === 'null' ? null : this.#nothing(form)
    const at = `${path}.${key}`
    return secretField === undefined ? this.value(form, value, at) : this.#secret(form, value, at)
  }

  /** A block that is not there: nothing in it, which is not the same as null. */
  #nothing(form: Form): Value {
    if (form.kind === 'object')
      return new Map(form.fields.map(({ name, absent, form: of }) => [name, absent === 'null' ? null : this.#nothing(of)]))
    if (form.kind === 'map') return form.untyped ? untypedCollection(new Map(), typeOfForm(form.element)) : new Map()
    const untyped = (form.kind === 'list' || form.kind === 'only') && form.untyped
    return untyped ? untypedCollection([], typeOfForm(form.element)) : []
  }

  value(form: Form, given: JsonValue | undefined, path: string): Value {
    if (given === null || given === undefined) return null
    if (typeof given === 'string' && this.#unknown?.(given) === true) return UNKNOWN
    switch (form.kind) {
      case 'string':
      case 'number':
      case 'bool':
        return scalarOf(form.kind, given) ?? this.#wrong(path, `must be ${WORDS[form.kind]}`)
      case 'dynamic':
        return dynamicOf(given)
      case 'object':
        return isJsonObject(given) ? this.fields(form.fields, given, path) : this.#wrong(path, 'must be an object')
      case 'only': {
        if (!isJsonObject(given)) return this.#wrong(path, 'must be an object')
        return this.#collection([this.value(form.element, given, path)], form)
      }
      case 'map': {
        if (!isJsonObject(given)) return this.#wrong(path, 'must be an object')
        const entries = Object.entries(given).map(
          ([key, value]) => [key.normalize('NFC'), this.value(form.element, value, `${path}[${JSON.stringify(key)}]`)] as const,
        )
        return form.untyped ? untypedCollection(new Map(entries), typeOfForm(form.element)) : new Map(entries)
      }
      case 'tuple':
        if (!Array.isArray(given) || given.length !== form.elements.length)
          return this.#wrong(path, `must be a list of ${form.elements.length}`)
        return form.elements.map((element, i) => this.value(element, given[i] as JsonValue, `${path}[${i}]`))
      case 'list':
      case 'set': {
        if (!Array.isArray(given)) return this.#wrong(path, 'must be a list')
        const values = given.map((each, i) => this.value(form.element, each as JsonValue, `${path}[${i}]`))
        // What is not known may turn out to be like another: the provider sees to that when it is.
        const known = this.#unknown === undefined || values.every(isWhollyKnown)
        return form.kind === 'set' && known ? distinct(values, typeOfForm(form.element)) : this.#collection(values, form)
      }
      default:
        return form satisfies never
    }
  }

  #collection(values: readonly Value[], { untyped, element }: { readonly untyped: boolean; readonly element: Form }): Value {
    return untyped ? untypedCollection(values, typeOfForm(element)) : values
  }

  #secret(form: Form, given: JsonValue, path: string): Value {
    if ((form.kind === 'list' || form.kind === 'set') && form.element.kind === 'string' && Array.isArray(given)) {
      const values = given.map((each, i) => this.#secret(form.element, each as JsonValue, `${path}[${i}]`))
      return form.kind === 'set' && values.every(isWhollyKnown) ? distinct(values, typeOfForm(form.element)) : values
    }
    const [ref] = readRef(given) ?? []
    if (ref === undefined) return this.#wrong(path, 'must name a Secret: name, namespace and key')
    const found = this.#secrets(ref)
    if (found === undefined && this.#unknown !== undefined) return UNKNOWN
    const where = `key ${JSON.stringify(ref.key ?? '')} of Secret ${ref.namespace}/${ref.name}`
    if (found === undefined)
      return this.#wrong(
        path,
        ref.key === undefined
          ? `refers to Secret ${ref.namespace}/${ref.name}, which does not exist`
          : `refers to ${where}, which does not exist`,
      )
    if (typeof found !== 'string') {
      const whole = form.kind === 'map' && form.element.kind === 'string'
      return whole
        ? new Map([...found].map(([key, text]) => [key, text.normalize('NFC')]))
        : this.#wrong(path, 'must name a key of the Secret')
    }
    if (form.kind === 'string' || form.kind === 'number' || form.kind === 'bool')
      return (
        scalarOf(form.kind, form.kind === 'string' ? found : found.trim()) ??
        this.#wrong(path, `refers to ${where}, which is not ${WORDS[form.kind]}`)
      )
    try {
      return this.value(form, parseJson(found).value, path)
    } catch {
      return this.#wrong(path, `refers to ${where}, which is not JSON`)
    }
  }

  #wrong(path: string, problem: string, advice?: string): null {
    this.errors.push(new ConfigError(path, problem, advice))
    return null
  }
}

const WORDS = { string: 'a text', number: 'a number', bool: 'true or false' } as const

function unknownField(fields: readonly Field[], key: string, subject: string): readonly [problem: string, advice?: string] {
  const known = fields.find(({ field, name }) => field === key || name === key)
  if (known === undefined)
    return [`is not a field of ${subject}`, 'remove it, or use the field that took its place; nothing is changed until then']
  if (known.input === 'none') return ['cannot be set: the provider decides it']
  return [`is called ${known.secretField ?? known.field}${known.secretField === undefined ? '' : ', and takes its value from a Secret'}`]
}

/** A set holds nothing twice; providers refuse or merge what does. Sorted out here, as Terraform does. */
function distinct(values: readonly Value[], element: Type): readonly Value[] {
  const ordered = inSetOrder(element, values)
  return ordered.filter((value, i) => i === 0 || !equalValues(element, value, ordered[i - 1] ?? null))
}
