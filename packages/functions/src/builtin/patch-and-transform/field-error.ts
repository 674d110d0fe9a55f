import { GoError, must } from '../../go/go-error.ts'
import { marshalJson } from '../../go/json.ts'
import { quote } from '../../go/quote.ts'

/** Kubernetes' words for a field that is missing or wrong. */
export const required = (field: string, detail: string): GoError => new GoError(`${field}: Required value: ${detail}`)

export const invalid = (field: string, value: string | undefined, detail: string): GoError =>
  new GoError(`${field}: Invalid value: ${value === undefined ? 'null' : quote(value)}: ${detail}`)

/** The same of a value that is one of a few words: those have types of their own in Go, and are shown as JSON. */
export const unknownWord = (field: string, value: string | undefined, detail: string): GoError =>
  new GoError(`${field}: Invalid value: ${value === undefined ? 'null' : must(marshalJson(value))}: ${detail}`)

/** A path within a path. */
export const within = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`)
