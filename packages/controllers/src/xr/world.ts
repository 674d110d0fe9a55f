import type { KubeObject } from '@weft/api'
import type { ResourceSelector, SchemaSelector, Struct } from '@weft/functions'
import type { ResourceRef } from './machinery.ts'
import type { Wanted } from './plan.ts'

/**
 * The world that a composite resource is composed in: a server, or what a render was given. Reads answer undefined for what is not there. Writes are
 * whole or not at all, and may be repeated. What is refused rejects; a StatusError keeps its reason.
 */
export interface XrWorld {
  /** A composed resource by its reference; `namespace` is the one to look in. */
  composed(ref: ResourceRef, namespace: string | undefined): Promise<KubeObject | undefined>
  /** What an object published at its `writeConnectionSecretToRef`: base64 by key; none where there is no secret. */
  connectionOf(object: KubeObject): Promise<Readonly<Record<string, string>>>
  /** The data of a secret. */
  secret(ref: { readonly namespace: string; readonly name: string }): Promise<Readonly<Record<string, string>> | undefined>
  /** What a function asked for: by name one or none, else all that match, in the order of namespace/name. */
  required(selector: ResourceSelector): Promise<readonly KubeObject[]>
  /** The OpenAPI schema of a kind. */
  schema(selector: SchemaSelector): Promise<Struct | undefined>
  /** Undefined: nobody serves the kind, or nobody knows. */
  isNamespaced(object: { readonly apiVersion: string; readonly kind: string }): Promise<boolean | undefined>

  /** All that is wanted, before anything is written: whoever is told of changes begins to listen. Rejects when one cannot be had at all. */
  expect(wanted: readonly Wanted[]): Promise<void>
  /** A composed resource that is no longer wanted: its labels first, so that nothing finds it any more, then itself. */
  collect(observed: KubeObject, unlabelled: KubeObject): Promise<void>
  /** Server-side apply of the references alone; answers the whole composite. */
  applyRefs(xr: KubeObject, body: KubeObject): Promise<KubeObject>
  /** Server-side apply of one composed resource. */
  applyComposed(desired: KubeObject, manager: string, xr: KubeObject, observed: KubeObject | undefined): Promise<void>
  /** Server-side apply of the status; answers the composite. */
  applyStatus(xr: KubeObject, body: KubeObject): Promise<KubeObject>
}
