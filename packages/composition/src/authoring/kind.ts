/** The metadata of every object, as far as patches read and write it. */
export interface Metadata {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly generation: number
  readonly creationTimestamp: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** What `weft types` makes an interface of for each kind. */
export interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
}

/** A resource of which no type is known: its fields are reached with `at`. */
export interface UntypedResource extends Resource {
  readonly [field: string]: unknown
}

/**
 * A kind as a value: types are gone when a composition is compiled, its apiVersion and kind are not. `weft types` exports one beside each
 * interface, under the same name. `Details` are the keys of its connection details.
 */
export interface Kind<T extends Resource, Details extends string = string> {
  readonly apiVersion: T['apiVersion']
  readonly kind: T['kind']
  /** A defined kind: the contract (C16). A managed kind: what it publishes (M13). Absent: not known. */
  readonly connectionDetails?: readonly Details[]
}

/** A kind that no types were generated for, such as a Deployment. */
export const untyped = (apiVersion: string, kind: string): Kind<UntypedResource> => ({ apiVersion, kind })
