import type { JsonObject } from '@weft/api'
import type { ExternalClient } from '@weft/provider-sdk'
import { type Attribute, type Block, BOOL, type ProviderSchema, type Schema, setOf, STRING, toConfig, type Type } from '@weft/terraform'
import type { ProviderPrograms } from './provider-programs.ts'

const attribute = (name: string, type: Type, more: Partial<Attribute> = {}): Attribute => ({
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

const schemaOf = (...attributes: readonly Attribute[]): Schema => {
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

export interface AcmePrograms extends ProviderPrograms {
  /** How often the schema was asked for. */
  readonly asked: string[]
  /** What resources were configured to be, by their name. */
  readonly made: Map<string, ReadonlyMap<string, unknown>>
}

/** What runs it: nothing but memory. */
export function acmePrograms(schema: ProviderSchema = acmeSchema()): AcmePrograms {
  const asked: string[] = []
  const made = new Map<string, ReadonlyMap<string, unknown>>()
  return {
    asked,
    made,
    askSchema: async ({ version }) => {
      asked.push(version)
      return Buffer.from('acme')
    },
    readSchema: (stored) => {
      if (Buffer.from(stored).toString() !== 'acme') throw new Error('this is no schema')
      return schema
    },
    connector: ({ shape }) => ({
      connect: async (): Promise<ExternalClient> => ({
        observe: async ({ metadata: { name = '' } }) =>
          made.has(name) ? { exists: true, upToDate: true, readiness: 'available', atProvider: { id: `id-${name}` } } : { exists: false },
        create: async ({ metadata: { name = '' }, spec = {} }) => {
          made.set(name, toConfig(shape.fields, (spec['forProvider'] ?? {}) as JsonObject))
          return { externalName: `id-${name}` }
        },
        update: async () => ({}),
        delete: async ({ metadata: { name = '' } }) => void made.delete(name),
      }),
    }),
    preview: () => Promise.resolve({ action: 'unknown', why: 'nothing runs here' }),
    upgradeStates: (_provider, states) => Promise.resolve(states.map(() => ({ problem: new Error('nothing runs here') }))),
    close: () => Promise.resolve(),
  }
}
