import type { JsonValue } from '@weft/api'

/**
 * How the simulated cloud treats one kind of resource. It is data (`simcloud/kinds/*.yaml` of each provider), read by the
 * simulator, which enforces it, and by the generic controller, which finds through it where a managed kind lives.
 */
export interface SimulatedKind {
  readonly cloud: string
  /** The kind's name in the simulator's API: `/v1/{cloud}/{account}/{kind}/{name}`. */
  readonly kind: string
  /** Managed kinds whose external resource this is. Two may share one: both GKECluster kinds are clusters of the same cloud (B40). */
  readonly managed: readonly ManagedKind[]
  /** Account: two accounts may use the same name. Cloud: the first one to take a name keeps everybody else from it, as with buckets. */
  readonly unique: 'Account' | 'Cloud'
  readonly maxNameLength: number
  readonly delay: DelayClass
  /** How many one account may have unless it is given a quota of its own. */
  readonly quota: number
  readonly fields: readonly FieldRule[]
  readonly parents: readonly ParentRule[]
  /** What the cloud answers about a resource besides its parameters: identifiers, links. Public. */
  readonly outputs: readonly Detail[]
  /** What is needed to connect. Answered by create and by an authorised read of the connection, never by get or list. */
  readonly connection: readonly Detail[]
}

export interface ManagedKind {
  readonly group: string
  readonly kind: string
}

export const DELAY_CLASSES = ['instant', 'fast', 'medium', 'slow'] as const
export type DelayClass = (typeof DELAY_CLASSES)[number]

/** `scalar` takes a string or a number: users write `version: 1.16` without quotes (B33). */
export const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'scalar', 'object', 'list', 'any'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** A rule about one parameter. Parameters without a rule are stored as they come. */
export interface FieldRule {
  /** Dotted: `settings.tier`. */
  readonly path: string
  readonly type: FieldType
  readonly required: boolean
  readonly immutable: boolean
  /** Set by the cloud when the caller says nothing; this is what late initialisation finds. */
  readonly default?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly minimum?: number
  readonly maximum?: number
}

/** The resource that a parameter names. A parent must exist and be running to get a child, and cannot go while it has one. */
export interface ParentRule {
  readonly field: string
  /** Kinds of the same cloud; the first that has the name is meant. */
  readonly kinds: readonly string[]
  readonly required: boolean
  /** Names that exist in every account without anybody having made them, such as the `default` network. */
  readonly existing: readonly string[]
}

export const GENERATORS = ['password', 'ipv4', 'token', 'clusterCertificate', 'clientCertificate', 'clientKey'] as const
export type Generator = (typeof GENERATORS)[number]

export interface Detail {
  readonly name: string
  readonly description: string
  readonly value:
    | { readonly type: 'template'; readonly template: string }
    | { readonly type: 'generate'; readonly generator: Generator }
    /** The value of the first prefix that the parameter begins with: a port depends on the engine. */
    | {
        readonly type: 'choose'
        readonly field: string
        readonly prefixes: readonly (readonly [string, string])[]
        readonly otherwise: string
      }
  /** Not known before the resource has run for the first time, like an endpoint. */
  readonly whenReady: boolean
  /** A secret that rotation replaces. */
  readonly rotates: boolean
}
