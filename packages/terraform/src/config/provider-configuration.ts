import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@weft/api'
import type { Field } from '../kinds/shape.ts'
import type { Value } from '../value/value.ts'
import { ConfigError, ConfigErrors } from './config-error.ts'
import type { SecretLookup } from './secret-refs.ts'
import { toConfig, toValue } from './to-config.ts'

/** What a ProviderConfig comes to. */
export interface ProviderConfiguration {
  readonly config: ReadonlyMap<string, Value>
  readonly env: Readonly<Record<string, string>>
}

export interface ProviderConfigurationParts {
  /** `spec.configuration` */
  readonly configuration: JsonObject
  /** `spec.environment` */
  readonly environment: JsonObject
  /** The keys of the Secret that `spec.credentials` names; none where it names one key of it. */
  readonly secret: Readonly<Record<string, string>>
  /** What is under that one key: a JSON object. */
  readonly document?: string | undefined
  /** What is configured, for messages. */
  readonly subject?: string | undefined
  /** What `spec.configuration` refers to. */
  readonly secrets: SecretLookup
}

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/
/** These say how a program is run, which is not for its configuration to decide. */
const OURS = /^(?:PATH|HOME|TMPDIR|LD_.*|DYLD_.*|TF_.*|PLUGIN_.*|GODEBUG|GOTRACEBACK)$/

/**
 * The configuration and the environment of a provider. What comes from the Secret of the credentials is put over what the configuration says;
 * keys that are neither attributes nor variables are somebody else's. Throws ConfigErrors, in the words of the ProviderConfig.
 */
export function toProviderConfiguration(fields: readonly Field[], parts: ProviderConfigurationParts): ProviderConfiguration {
  const config = new Map(
    toConfig(fields, parts.configuration, { path: 'spec.configuration', secrets: parts.secrets, subject: parts.subject }),
  )
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(parts.environment)) env[variable(name, 'spec.environment')] = String(value)
  for (const [key, text] of Object.entries(parts.secret)) {
    const field = fieldNamed(fields, key)
    if (field !== undefined)
      config.set(field.name, toValue(field.form, fromText(field, text), `the key ${key} of the Secret in spec.credentials`))
    else if (VARIABLE.test(key)) env[variable(key, 'the Secret in spec.credentials')] = text
  }
  for (const [key, value] of Object.entries(documentOf(parts.document))) {
    const field = fieldNamed(fields, key)
    if (field === undefined) throw wrong(`${key}, in the Secret in spec.credentials,`, 'is not an attribute of the provider')
    if (value !== undefined) config.set(field.name, toValue(field.form, value as JsonValue, `${key}, in the Secret in spec.credentials,`))
  }
  return { config, env }
}

const fieldNamed = (fields: readonly Field[], key: string): Field | undefined =>
  fields.find(({ name, field, input }) => input !== 'none' && (name === key || field === key))

/** A text is itself; what else an attribute may be is written as JSON. */
function fromText({ form }: Field, text: string): JsonValue {
  if (form.kind === 'string') return text
  if (form.kind === 'number' || form.kind === 'bool') return text.trim()
  return parsed(text, 'a value in the Secret in spec.credentials')
}

function documentOf(text: string | undefined): JsonObject {
  if (text === undefined) return {}
  const value = parsed(text, 'the key that spec.credentials names')
  if (!isJsonObject(value)) throw wrong('the key that spec.credentials names', 'must contain a JSON object')
  return value
}

function parsed(text: string, what: string): JsonValue {
  try {
    return parseJson(text).value
  } catch {
    throw wrong(what, 'is not JSON')
  }
}

function variable(name: string, where: string): string {
  if (!VARIABLE.test(name)) throw wrong(`${where}.${name}`, 'is not the name of a variable: write it in capitals')
  if (OURS.test(name)) throw wrong(`${where}.${name}`, 'cannot be set: it says how the program is run')
  return name
}

const wrong = (path: string, problem: string): ConfigErrors => new ConfigErrors([new ConfigError(path, problem)])
