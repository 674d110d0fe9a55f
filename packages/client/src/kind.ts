import { type GroupKind, type KubeObject, parseGroupVersion } from '@weft/api'

/** Carries the object's type through inference; never present at run time. */
declare const objectType: unique symbol

/**
 * Names a kind to a client. `group` and `kind` are enough: version, plural and scope come from discovery. One that
 * gives all of them (`defineKind`) is used as it is, without asking the server.
 */
export interface Kind<T extends KubeObject = KubeObject> extends GroupKind {
  /** The server's preferred one unless told. */
  readonly version?: string | undefined
  readonly plural?: string | undefined
  readonly namespaced?: boolean | undefined
  /**
   * What informers remember of an object, for kinds that are large and of which little is read. The rest would be lost if such an object were
   * written back whole: whoever does not know that it is complete patches, or gets it first.
   */
  remembered?(object: T): T
  readonly [objectType]?: T
}

/** A kind known at build time, with the type of its objects: `client.get(secretKind, ...)` answers a `Secret`. */
export interface StaticKind<T extends KubeObject = KubeObject> extends Kind<T> {
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
}

export function defineKind<T extends KubeObject>(kind: {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  remembered?(object: T): T
}): StaticKind<T> {
  return kind
}

/**
 * Is it an object of this kind, whatever its version? Its fields then have the types of the kind: whoever serves it holds objects to its schema. Of what comes
 * from a file, and was not checked against the schema, it says no more than what is written there.
 */
export const isOfKind = <T extends KubeObject>({ group, kind }: StaticKind<T>, object: KubeObject): object is T =>
  object.kind === kind && parseGroupVersion(object.apiVersion).group === group

/** An object of a kind: its name, and its namespace if the kind has them. */
export interface ObjectRef {
  readonly name: string
  readonly namespace?: string | undefined
}
