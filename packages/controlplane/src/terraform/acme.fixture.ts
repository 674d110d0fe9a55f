import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { getOwn, type JsonObject, messageOf } from '@weft/api'
import { type ExternalClient, ExternalError, type ManagedResource } from '@weft/provider-sdk'
import {
  type Attribute,
  type Block,
  BOOL,
  type Field,
  type ProviderSchema,
  type Schema,
  setOf,
  STRING,
  toConfig,
  type Type,
} from '@weft/terraform'
import type { ProviderPrograms } from './provider-programs.ts'

export const attribute = (name: string, type: Type, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  description: '',
  descriptionKind: 'plain',
  required: false,
  optional: more.required !== true && more.computed !== true,
  computed: false,
  sensitive: false,
  writeOnly: false,
  deprecated: false,
  deprecationMessage: '',
  ...more,
})

export const schemaOf = (...attributes: readonly Attribute[]): Schema => {
  const block: Block = {
    attributes: new Map(attributes.map((each) => [each.name, each])),
    blocks: new Map(),
    description: 'Of Acme.',
    descriptionKind: 'plain',
    deprecated: false,
    deprecationMessage: '',
  }
  return { version: 0, block }
}

const THING = schemaOf(
  attribute('name', STRING, { required: true }),
  attribute('network_id', STRING),
  attribute('zones', setOf(STRING)),
  attribute('password', STRING, { sensitive: true }),
  attribute('id', STRING, { computed: true }),
)

/** A provider that exists in tests only, with as many further types as are wanted. */
export function acmeSchema(more = 0): ProviderSchema {
  const others = Array.from({ length: more }, (_each, i) => [`acme_other_${i}`, THING] as const)
  return {
    protocol: 6,
    provider: schemaOf(attribute('endpoint', STRING), attribute('token', STRING, { sensitive: true }), attribute('insecure', BOOL)),
    resources: new Map([['acme_thing', THING], ['acme_network', schemaOf(attribute('id', STRING, { computed: true }))], ...others]),
    dataSources: new Map([['acme_thing', schemaOf(attribute('name', STRING, { required: true }))]]),
    identities: new Map(),
    capabilities: { planDestroy: false, schemaOptional: true, moveResourceState: false },
  }
}

/** One with these types and no others. */
export const acmeWith = (resources: Readonly<Record<string, Schema>>, provider: Schema = acmeSchema().provider): ProviderSchema => ({
  ...acmeSchema(),
  provider,
  resources: new Map(Object.entries(resources)),
  dataSources: new Map(),
})

export interface AcmePrograms extends ProviderPrograms {
  /** How often the schema was asked for. */
  readonly asked: string[]
  /** What resources were configured to be, by their name. */
  readonly made: Map<string, ReadonlyMap<string, unknown>>
  /** What was changed of them later, in order. */
  readonly changed: string[]
}

/** What runs it: nothing but memory. `schemas`: by what is in the file of the program, where there are several. */
export function acmePrograms(schema: ProviderSchema = acmeSchema(), schemas: Readonly<Record<string, ProviderSchema>> = {}): AcmePrograms {
  const asked: string[] = []
  const changed: string[] = []
  const made = new Map<string, ReadonlyMap<string, unknown>>()
  /** What is wrong in it is refused before anything is made, as the bridge does. */
  const configOf = (fields: readonly Field[], { spec = {} }: ManagedResource): ReadonlyMap<string, unknown> => {
    try {
      return toConfig(fields, (spec['forProvider'] ?? {}) as JsonObject, { subject: 'acme' })
    } catch (error) {
      throw new ExternalError('Invalid', messageOf(error))
    }
  }
  return {
    asked,
    made,
    changed,
    askSchema: async ({ version, program }) => {
      asked.push(version)
      const text = await readFile(program, 'utf8')
      return Buffer.from(getOwn(schemas, text) === undefined ? 'acme' : `acme:${text}`)
    },
    readSchema: (stored) => {
      const text = Buffer.from(stored).toString()
      if (text.startsWith('acme:')) return schemas[text.slice('acme:'.length)] ?? schema
      if (text !== 'acme') throw new Error('this is no schema')
      return schema
    },
    connector: ({ shape }) => ({
      release: () => Promise.resolve(),
      systemOf: ({ metadata: { uid = '' } }) => Promise.resolve(uid),
      connect: async (): Promise<ExternalClient> => ({
        observe: async (resource) => {
          const { name = '' } = resource.metadata
          const there = made.get(name)
          if (there === undefined) return { exists: false }
          const upToDate =
            resource.metadata.deletionTimestamp !== undefined || isDeepStrictEqual(given(there), given(configOf(shape.fields, resource)))
          return { exists: true, upToDate, readiness: 'available', atProvider: { id: `id-${name}` } }
        },
        create: async (resource) => {
          const { name = '' } = resource.metadata
          made.set(name, configOf(shape.fields, resource))
          return { externalName: `id-${name}` }
        },
        update: async (resource) => {
          const { name = '' } = resource.metadata
          const config = configOf(shape.fields, resource)
          changed.push(`${name}: ${JSON.stringify([...config])}`)
          made.set(name, config)
          return {}
        },
        delete: async ({ metadata: { name = '' } }) => void made.delete(name),
      }),
    }),
    release: () => Promise.resolve(),
    preview: () => Promise.resolve({ action: 'unknown', why: 'nothing runs here' }),
    upgradeStates: (_provider, states) => Promise.resolve(states.map(() => ({ problem: new Error('nothing runs here') }))),
    close: () => Promise.resolve(),
  }
}

const given = (config: ReadonlyMap<string, unknown>): unknown => [...config].filter(([, value]) => value !== null)
