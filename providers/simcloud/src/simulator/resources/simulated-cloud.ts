import { randomUUID } from 'node:crypto'
import { deepEqual, type JsonObject } from '@weft/api'
import type { KindCatalogue } from '../../catalogue/kinds.ts'
import type { SimulatedKind } from '../../catalogue/simulated-kind.ts'
import type { Drift } from '../../wire/admin.ts'
import type { ConnectionDetails } from '../../wire/resource.ts'
import type { Store } from '../state/store.ts'
import { CloudError, invalidFields } from './cloud-error.ts'
import type { Delays, Operation } from './delays.ts'
import { newDetails, rotatedConnection } from './details.ts'
import { Expiry } from './expiry.ts'
import { mergePatch } from './parameter-path.ts'
import { immutableChanges, problemsOf, withDefaults } from './parameters.ts'
import { resolveParents } from './parents.ts'
import { keyOf, type ResourceKey, settled, type StoredResource } from './stored-resource.ts'

export interface CloudOptions {
  readonly catalogue: KindCatalogue
  readonly store: Store
  readonly delays: Delays
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What a fault does to an operation that is carried out all the same. */
export interface OperationFault {
  /** It does not end before this many milliseconds have passed; null = before `releaseStalled`. */
  readonly stallMillis?: number | null
  readonly failWith?: string
}

export interface CreateRequest extends ResourceKey {
  readonly parameters: JsonObject
  readonly clientToken?: string | undefined
}

/**
 * The rules of the simulated clouds. Every method is synchronous: it checks, changes the store in memory and answers, or throws
 * CloudError and has changed nothing. Durability is the caller's: wait for `store.durable()` before telling anybody.
 */
export class SimulatedCloud {
  readonly #catalogue: KindCatalogue
  readonly #store: Store
  readonly #delays: Delays
  readonly #now: () => number
  readonly #deletions = new Expiry()

  constructor({ catalogue, store, delays, now }: CloudOptions) {
    this.#catalogue = catalogue
    this.#store = store
    this.#delays = delays
    this.#now = now
    // Faults do not outlive the process, so nothing is left that could release what one of them stalled.
    this.releaseStalled()
    for (const resource of store.resources.all()) this.#watchDeletion(resource)
  }

  kindOf(cloud: string, kind: string): SimulatedKind {
    const found = this.#catalogue.find(cloud, kind)
    if (found === undefined) throw new CloudError('NotFound', `the simulated cloud ${cloud} knows no kind ${kind}`)
    return found
  }

  get(key: ResourceKey): StoredResource {
    this.kindOf(key.cloud, key.kind)
    const resource = this.#find(keyOf(key))
    if (resource === undefined)
      throw new CloudError('NotFound', `${key.kind} ${key.name} does not exist in ${key.cloud} account ${key.account}`)
    return resource
  }

  /** In the order of their names, those after `after`. */
  list(
    cloud: string,
    account: string,
    kind: string,
    { after = '', limit }: { after?: string; limit: number },
  ): { items: StoredResource[]; more: boolean } {
    this.kindOf(cloud, kind)
    this.#purge()
    const names = [...this.#store.resources.inAccount(cloud, account, kind).keys()].filter((name) => name > after).sort()
    const items = names.slice(0, limit).flatMap((name) => this.#find(keyOf({ cloud, account, kind, name })) ?? [])
    return { items, more: names.length > limit }
  }

  /** Everything there is. */
  all(): StoredResource[] {
    this.#purge()
    return [...this.#store.resources.all()].flatMap((resource) => this.#find(keyOf(resource)) ?? [])
  }

  /** `created` is false when the client token says that this create was already done. */
  create(request: CreateRequest, fault?: OperationFault): { resource: StoredResource; created: boolean } {
    const kind = this.kindOf(request.cloud, request.kind)
    this.#purge()
    const parameters = withDefaults(request.parameters, kind.fields)
    const earlier = this.#earlierCreate(request, parameters)
    if (earlier !== undefined) return { resource: earlier, created: false }
    this.#checkName(kind, request)
    this.#checkParameters(request, parameters, kind)
    const parents = resolveParents(kind, request, parameters, (key) => this.#find(key))
    this.#checkQuota(kind, request)
    const now = this.#now()
    const { cloud, account, name, clientToken } = request
    const id = randomUUID()
    const resource: StoredResource = {
      cloud,
      account,
      kind: kind.kind,
      name,
      id,
      generation: 1,
      state: 'CREATING',
      hasRun: false,
      parameters,
      ...newDetails(kind, { name, account, id, parameters, now }),
      ...(clientToken !== undefined && { clientToken }),
      parents,
      createdAt: now,
      updatedAt: now,
    }
    return { resource: this.#start(resource, kind, 'create', fault), created: true }
  }

  /** `patch` is an RFC 7386 merge patch of the parameters. One that changes nothing starts nothing. */
  update(key: ResourceKey, patch: JsonObject, ifGeneration?: number, fault?: OperationFault): StoredResource {
    const current = this.get(key)
    this.#checkGeneration(current, ifGeneration)
    this.#checkIdle(current)
    const kind = this.kindOf(key.cloud, key.kind)
    const parameters = withDefaults(mergePatch(current.parameters, patch) as JsonObject, kind.fields)
    if (deepEqual(parameters, current.parameters) && current.state !== 'FAILED') return current
    const frozen = immutableChanges(current.parameters, parameters, kind.fields)
    if (frozen.length > 0) throw invalidFields('Immutable', `${key.kind} ${key.name}`, frozen)
    this.#checkParameters(key, parameters, kind)
    const parents = resolveParents(kind, key, parameters, (parent) => this.#find(parent))
    const { failure: _, ...rest } = current
    const changed: StoredResource = {
      ...rest,
      parameters,
      parents,
      generation: current.generation + 1,
      updatedAt: this.#now(),
      // What never ran is of no use to anybody before it does, whoever tries again.
      state: current.hasRun ? 'UPDATING' : 'CREATING',
    }
    return this.#start(changed, kind, 'update', fault)
  }

  /** Answers the resource on its way out; asking again while it is is no error. */
  delete(key: ResourceKey, ifGeneration?: number, fault?: OperationFault): StoredResource {
    const current = this.get(key)
    if (current.state === 'DELETING') return current
    this.#checkGeneration(current, ifGeneration)
    this.#checkIdle(current)
    const children = [...this.#store.resources.childrenOf(keyOf(key))].filter((child) => this.#find(child) !== undefined)
    if (children.length > 0) {
      const named = children.slice(0, 3).map((child) => child.split('/').slice(2).join(' '))
      const more = children.length > 3 ? ` and ${children.length - 3} more` : ''
      throw new CloudError('InUse', `${key.kind} ${key.name} cannot be deleted while these need it: ${named.join(', ')}${more}`)
    }
    const leaving: StoredResource = { ...current, state: 'DELETING', updatedAt: this.#now() }
    this.#start(leaving, this.kindOf(key.cloud, key.kind), 'delete', fault)
    return leaving
  }

  /** What is known of how to connect: everything once the resource has run. */
  connection(resource: StoredResource): ConnectionDetails {
    const kind = this.kindOf(resource.cloud, resource.kind)
    if (resource.hasRun) return resource.connection
    const early = new Set(kind.connection.filter(({ whenReady }) => !whenReady).map(({ name }) => name))
    return Object.fromEntries(Object.entries(resource.connection).filter(([name]) => early.has(name)))
  }

  /** New passwords. The old ones stop working at once. */
  rotate(key: ResourceKey): StoredResource {
    const current = this.get(key)
    this.#checkIdle(current)
    const { name, account, id, parameters, outputs, connection } = current
    const source = { name, account, id, parameters, now: this.#now() }
    const rotated = {
      ...current,
      connection: rotatedConnection(this.kindOf(key.cloud, key.kind), source, outputs, connection),
      updatedAt: this.#now(),
    }
    this.#store.put(rotated)
    return rotated
  }

  /** A change behind everybody's back: no rule is asked. */
  drift(key: ResourceKey, { parameters, state }: Drift): StoredResource {
    const current = this.get(key)
    const { failure: _, ...rest } = current
    const drifted: StoredResource = {
      ...(state === 'RUNNING' ? rest : current),
      ...(state === 'FAILED' && { failure: 'broken from outside' }),
      ...(state !== undefined && { state }),
      parameters: parameters === undefined ? current.parameters : (mergePatch(current.parameters, parameters as JsonObject) as JsonObject),
      generation: current.generation + 1,
      updatedAt: this.#now(),
    }
    this.#store.put(drifted)
    return drifted
  }

  /** Gone at once, children or not. */
  vanish(key: ResourceKey): void {
    this.#store.remove(this.get(key))
  }

  /** Ends what stalls without a time of its own. */
  releaseStalled(): void {
    const now = this.#now()
    for (const resource of [...this.#store.resources.all()]) {
      if (resource.settlesAt !== null) continue
      const released = { ...resource, settlesAt: now }
      this.#store.put(released)
      this.#watchDeletion(released)
    }
  }

  #start(resource: StoredResource, kind: SimulatedKind, operation: Operation, fault: OperationFault = {}): StoredResource {
    const now = this.#now()
    const millis = fault.stallMillis === undefined ? this.#delays(kind.delay, operation) : fault.stallMillis
    const started: StoredResource = {
      ...resource,
      settlesAt: millis === null ? null : now + millis,
      ...(fault.failWith !== undefined && operation !== 'delete' && { willFail: fault.failWith }),
    }
    this.#store.put(started)
    this.#watchDeletion(started)
    this.#purge()
    return settled(started, now) ?? started
  }

  #find(key: string): StoredResource | undefined {
    const resource = this.#store.resources.get(key)
    return resource && settled(resource, this.#now())
  }

  #watchDeletion(resource: StoredResource): void {
    if (resource.state === 'DELETING' && typeof resource.settlesAt === 'number') this.#deletions.add(keyOf(resource), resource.settlesAt)
  }

  /** Forgets what has finished leaving, so that names, quotas and parents are free again. */
  #purge(): void {
    const now = this.#now()
    for (const key of this.#deletions.due(now)) {
      const resource = this.#store.resources.get(key)
      if (resource !== undefined && settled(resource, now) === undefined) this.#store.remove(resource)
    }
  }

  #earlierCreate(request: CreateRequest, parameters: JsonObject): StoredResource | undefined {
    const { cloud, account, kind, name, clientToken } = request
    const earlier = clientToken === undefined ? undefined : this.#store.resources.byToken(cloud, account, kind, clientToken)
    // One on its way out is not what the caller wants; its name says so when it is checked.
    if (earlier === undefined || this.#find(keyOf(earlier))?.state === 'DELETING') return undefined
    // Only the first parameters tell whether it is the same create; an update since then makes no difference to that.
    if (earlier.name !== name || (earlier.generation === 1 && !deepEqual(earlier.parameters, parameters)))
      throw new CloudError('TokenMismatch', `the client token was used to create ${kind} ${earlier.name} with other parameters`)
    return this.#find(keyOf(earlier))
  }

  #checkName({ unique, maxNameLength }: SimulatedKind, request: ResourceKey): void {
    const { cloud, account, kind, name } = request
    if (name.length > maxNameLength)
      throw new CloudError('Invalid', `the name ${name} is too long: ${kind} take at most ${maxNameLength} characters`)
    const existing = this.#find(keyOf(request))
    if (existing !== undefined) {
      const state = existing.state === 'DELETING' ? ' and is still being deleted' : ''
      throw new CloudError('AlreadyExists', `${kind} ${name} already exists in ${cloud} account ${account}${state}`)
    }
    if (unique === 'Cloud' && this.#store.resources.accountsUsing(cloud, kind, name).size > 0)
      throw new CloudError('AlreadyExists', `the name ${name} is taken: names of ${kind} are unique in all of ${cloud}`)
  }

  #checkParameters({ kind, name }: ResourceKey, parameters: JsonObject, { fields }: SimulatedKind): void {
    const problems = problemsOf(parameters, fields)
    if (problems.length > 0) throw invalidFields('Invalid', `${kind} ${name}`, problems)
  }

  #checkQuota({ kind, quota }: SimulatedKind, { cloud, account }: ResourceKey): void {
    const limits = this.#store.account(cloud, account)?.quotas ?? {}
    const limit = Object.hasOwn(limits, kind) ? (limits[kind] ?? quota) : quota
    if (this.#store.resources.inAccount(cloud, account, kind).size >= limit)
      throw new CloudError('QuotaExceeded', `${cloud} account ${account} may have ${limit} ${kind}, and has them`)
  }

  #checkGeneration({ kind, name, generation }: StoredResource, wanted: number | undefined): void {
    if (wanted !== undefined && wanted !== generation)
      throw new CloudError('PreconditionFailed', `${kind} ${name} is at generation ${generation}, not ${wanted}`)
  }

  #checkIdle({ kind, name, state }: StoredResource): void {
    if (state === 'RUNNING' || state === 'FAILED') return
    throw new CloudError('NotReady', `${kind} ${name} is ${state}; try again when that is done`)
  }
}
