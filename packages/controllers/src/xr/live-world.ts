import { servedKind } from '../definition/served-kind.ts'
import { deepEqual, formatGroupKind, gvkOf, isJsonObject, type KubeObject, specOf, statusOf } from '@weft/api'
import { type Client, NoMatchError, secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf, DELETION_TURN } from '@weft/composition'
import { need, type Need, type ReconcileContext } from '@weft/runtime'
import { withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive, refOf } from '../binding/live-object.ts'
import type { MemberApplier } from '../composite/apply-member.ts'
import type { KindIndex } from '../composite/kind-index.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { untilServed } from '../definition/until-served.ts'
import { giveTurn, withTurn } from '../deletion/delete-in-order.ts'
import { ComposeError } from './compose-error.ts'
import { type Disclosure, LiveRequirements } from './live-requirements.ts'
import { publishedTo, type ResourceRef } from './machinery.ts'
import { COMPOSITE_MANAGER } from './names.ts'
import type { Wanted } from './plan.ts'
import type { XrWorld } from './world.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

export interface LiveWorldOptions {
  readonly context: ReconcileContext
  /** The composite as the server has it. */
  readonly server: KubeObject
  readonly applier: MemberApplier
  readonly index: KindIndex
  readonly disclosure?: Disclosure | undefined
  /** Members wait for their turn when they are deleted. */
  readonly isOrdered: boolean
}

/** The world of one composite on a server, for the time of one pass. */
export class LiveWorld extends LiveRequirements implements XrWorld {
  readonly #context: ReconcileContext
  readonly #client: Client
  #latest: KubeObject
  readonly #applier: MemberApplier
  readonly #isOrdered: boolean

  constructor({ context, server, applier, index, disclosure, isOrdered }: LiveWorldOptions) {
    super(context.client, index, disclosure)
    this.#isOrdered = isOrdered
    this.#context = context
    this.#client = context.client
    this.#latest = server
    this.#applier = applier
  }

  /** The composite as the server has it now. */
  get latest(): KubeObject {
    return this.#latest
  }

  async composed({ apiVersion = '', kind = '', name = '' }: ResourceRef, namespace: string | undefined): Promise<KubeObject | undefined> {
    const served = await servedKind(this.#client, { apiVersion, kind })
    if (served === undefined) return undefined
    await this.#context.inMemory([served])
    const cache = this.#context.known(served)
    const ref = { name, namespace: served.namespaced ? namespace : undefined }
    const found = await this.#applier.observe({ client: this.#client, kind: served, cache }, ref, this.#latest)
    // Somebody deleted it while its composite lives: there is nobody to wait for.
    if (found?.metadata.deletionTimestamp !== undefined && controllerOf(found)?.uid === this.#latest.metadata.uid)
      return giveTurn(this.#client, found)
    return found
  }

  /** Only what the object itself published: a reference alone must not be a way to read the secrets of others. */
  async connectionOf(object: KubeObject): Promise<Readonly<Record<string, string>>> {
    const ref = publishedTo(specOf(object))
    const namespace = object.metadata.namespace ?? ref?.namespace
    if (ref === undefined || !namespace) return {}
    const secret = await this.#client.find(secretKind, { name: ref.name, namespace })
    return secret !== undefined && controllerOf(secret)?.uid === object.metadata.uid ? (secret.data ?? {}) : {}
  }

  async isNamespaced(object: { readonly apiVersion: string; readonly kind: string }): Promise<boolean | undefined> {
    return (await servedKind(this.#client, object))?.namespaced
  }

  async expect(wanted: readonly Wanted[]): Promise<void> {
    const needs = new Map<string, Need>()
    const missing: { readonly resourceName: string; readonly object: KubeObject }[] = []
    for (const { resourceName, object } of wanted) {
      const kind = await servedKind(this.#client, object)
      if (kind === undefined) missing.push({ resourceName, object })
      else if (isPlainSecret(kind)) needs.set('secrets', CONNECTION_SECRETS)
      else needs.set(`${object.apiVersion} ${object.kind}`, need({ kind }))
      if (isJsonObject(specOf(object)['writeConnectionSecretToRef'])) needs.set('secrets', CONNECTION_SECRETS)
    }
    const waits = missing.length === 0 ? [] : [untilServed(missing.map(({ object }) => gvkOf(object)))]
    this.#context.follow([...needs.values(), ...waits])
    const [first] = missing
    if (first !== undefined) throw new ComposeError(`cannot apply composed resource "${first.resourceName}": ${whyUnserved(first.object)}`)
  }

  async collect(observed: KubeObject, unlabelled: KubeObject): Promise<void> {
    if (observed.metadata.deletionTimestamp !== undefined) return
    const free = withoutFinalizer(unlabelled, DELETION_TURN)
    if (free !== unlabelled || !deepEqual(observed.metadata.labels, unlabelled.metadata.labels))
      await this.#client.update(free, { fieldManager: CORE_MANAGER })
    await deleteLive(this.#client, gvkOf(observed), observed, { propagationPolicy: 'Foreground' })
  }

  async applyRefs(xr: KubeObject, body: KubeObject): Promise<KubeObject> {
    const options = { fieldManager: COMPOSITE_MANAGER, force: true }
    return (this.#latest = await this.#client.patch(gvkOf(xr), refOf(xr), { type: 'apply', body }, options))
  }

  async applyComposed(desired: KubeObject, manager: string, xr: KubeObject, observed: KubeObject | undefined): Promise<void> {
    const kind = await servedKind(this.#client, desired)
    if (kind === undefined) throw new NoMatchError(gvkOf(desired))
    const same = observed !== undefined && deepEqual(gvkOf(observed), gvkOf(desired)) ? observed : undefined
    const place = { client: this.#client, kind, cache: this.#context.known(kind) }
    await this.#applier.apply(place, this.#isOrdered ? withTurn(desired) : desired, xr, same, { fieldManager: manager, takesOver: true })
  }

  /** Written only when it would change something: conditions are written with the rest of what is told, afterwards. */
  async applyStatus(xr: KubeObject, body: KubeObject): Promise<KubeObject> {
    if (deepEqual(withoutConditions(this.#latest), withoutConditions(body))) return xr
    const { spec: _spec, ...status } = body
    const options = { fieldManager: COMPOSITE_MANAGER, force: true, subresource: 'status' }
    return (this.#latest = await this.#client.patch(gvkOf(xr), refOf(xr), { type: 'apply', body: status as KubeObject }, options))
  }
}

function whyUnserved(object: KubeObject): string {
  if (!object.apiVersion || !object.kind)
    return `it has no ${object.kind ? 'apiVersion' : object.apiVersion ? 'kind' : 'apiVersion and no kind'}: a step of the Composition has to give it one`
  const wanted = gvkOf(object)
  return `nothing serves ${formatGroupKind(wanted)} in version ${wanted.version}; install what defines it, or correct the Composition`
}

/** Of all secrets, only those that tell of connections are watched. */
const CONNECTION_SECRETS: Need = need({ kind: secretKind, fieldSelector: `type=${CONNECTION_SECRET_TYPE}` })

const isPlainSecret = ({ group, kind }: DefinedKind): boolean => group === '' && kind === 'Secret'

function withoutConditions(object: KubeObject): Readonly<Record<string, unknown>> {
  const { conditions: _conditions, ...rest } = statusOf(object)
  return rest
}
