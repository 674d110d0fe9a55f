import { isJsonObject, type KubeObject } from '@weft/api'
import { type Field, isList, isMap, Message } from '../message.ts'
import { isSet } from '../read.ts'

export type Values = Readonly<Record<string, unknown>>

/** What is filled in where a message stands, whatever it is part of: its own fields first, then those of what is inside. */
export type Filling = (value: Values) => Values

/** Fields that have a value when nobody gave them one. */
export const constants =
  (given: Values): Filling =>
  (value) => {
    const missing = Object.keys(given).filter((name) => !isSet(value[name]) || value[name] === '')
    return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map((name) => [name, given[name]])) }
  }

/** First one, then the other. */
export const both =
  (first: Filling, second: Filling): Filling =>
  (value) =>
    second(first(value))

/**
 * Fills defaults by the kinds of messages that an object is made of: a Probe has the same ones in a Pod and in the
 * template of a CronJob. Published defaults of single fields come from the tables. Parts in which nothing can be
 * missing are never looked at.
 */
export class Fillings {
  readonly #byMessage: ReadonlyMap<string, Filling>
  readonly #own = new Map<Message, Filling | undefined>()
  readonly #inner = new Map<Message, readonly Field[]>()

  /** By full names of messages. */
  constructor(byMessage: ReadonlyMap<string, Filling>) {
    this.#byMessage = byMessage
  }

  fill(message: Message, object: KubeObject): KubeObject {
    return this.#message(message, object) as KubeObject
  }

  #message(message: Message, given: Values): Values {
    const filled = this.#fillingOf(message)?.(given) ?? given
    let result = filled
    for (const field of this.#fieldsOf(message)) {
      const before = field.inline ? filled : filled[field.name]
      if (!isSet(before)) continue
      const after = this.#value(field, before)
      if (after === before) continue
      result = field.inline ? { ...result, ...(after as Values) } : { ...result, [field.name]: after }
    }
    return result
  }

  #value({ type }: Field, value: unknown): unknown {
    const element = isList(type) ? type.list : isMap(type) ? type.map : type
    if (!(element instanceof Message)) return value
    const one = (item: unknown): unknown => (isJsonObject(item) ? this.#message(element, item) : item)
    if (isList(type)) return Array.isArray(value) ? same(value, value.map(one)) : value
    if (isMap(type) && isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item)]))
    return one(value)
  }

  #fillingOf(message: Message): Filling | undefined {
    if (this.#own.has(message)) return this.#own.get(message)
    const published = Object.fromEntries(
      message.fields
        .filter((field) => field.default !== undefined && (Boolean(field.default) || field.presence === 'pointer'))
        .map((field) => [field.name, field.default]),
    )
    const own = this.#byMessage.get(message.name)
    const filling = Object.keys(published).length === 0 ? own : own === undefined ? constants(published) : both(own, constants(published))
    this.#own.set(message, filling)
    return filling
  }

  /** Fields below which something may have to be filled in. */
  #fieldsOf(message: Message): readonly Field[] {
    const known = this.#inner.get(message)
    if (known !== undefined) return known
    // What contains itself is looked at as if it needed nothing, until it is known.
    this.#inner.set(message, [])
    const found = message.fields.filter(({ type }) => {
      const element = isList(type) ? type.list : isMap(type) ? type.map : type
      return element instanceof Message && (this.#fillingOf(element) !== undefined || this.#fieldsOf(element).length > 0)
    })
    this.#inner.set(message, found)
    return found
  }
}

/** The list itself when none of its items changed. */
const same = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((item, i) => item === before[i]) ? before : after
