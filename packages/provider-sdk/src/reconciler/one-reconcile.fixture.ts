import { findCondition, type KubeObject } from '@weft/api'
import type { Client, InformerReader } from '@weft/client'
import { type Need, type ReconcileContext, type Result, silentLog } from '@weft/runtime'
import { FakeClock } from '@weft/testing'
import type { ExternalClient, Observation } from '../external/external-client.ts'
import { CREATE_PENDING, CREATE_SUCCEEDED, FINALIZER, OWNERSHIP } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { ManagedKind } from './managed-kind.ts'
import { managedReconcile } from './managed-reconcile.ts'

export const AVAILABLE = { exists: true, upToDate: true, readiness: 'available' } as const
export const GONE = { exists: false } as const
export const EXTERNAL_NAME = 'crossplane.io/external-name'
/** When something is looked at again that is available, and that is not. */
export const POLL_MS = 60_000
export const SOON_MS = 2_000
export const again = (millis: number): Result => ({ type: 'requeueAfter', millis })
export const isSecret = ({ kind }: KubeObject): boolean => kind === 'Secret'

/**
 * One resource, its external system and its server, for reconciles one at a time: what is asked, stored and told can be looked at after each. The clock stands
 * still, and chance is the middle of what it may be.
 */
export class OneReconcile {
  readonly clock: FakeClock = new FakeClock()
  readonly secrets: Map<string, KubeObject> = new Map()
  /** The notice of a restored store, where there is one. */
  restored: KubeObject | undefined
  resource: ManagedResource | undefined = {
    apiVersion: 'fake.weft.dev/v1',
    kind: 'Thing',
    metadata: { name: 'thing', uid: 'uid-1', generation: 3 },
    spec: { forProvider: {}, deletionPolicy: 'Delete' },
  }
  /** What was asked of the external system. */
  calls: string[] = []
  /** What was written to the server. */
  writes: string[] = []
  events: { type: string; reason: string; message: string }[] = []
  needs: readonly Need[] = []
  /** What is observed, one after the other; the last one stays. */
  observations: Observation[] = [AVAILABLE]
  /** In place of calls that succeed. */
  external: Partial<ExternalClient> = {}
  failWrite: ((verb: string, object: KubeObject) => Error | undefined) | undefined
  random: number = 0.5

  annotate(annotations: Readonly<Record<string, string>>, more: Partial<KubeObject['metadata']> = {}): void {
    const { metadata, ...rest } = this.resource as ManagedResource
    this.resource = { ...rest, metadata: { ...metadata, ...more, annotations: { ...metadata.annotations, ...annotations } } }
  }

  specify(spec: object): void {
    this.resource = { ...(this.resource as ManagedResource), spec: { ...(this.resource?.spec as object), ...spec } }
  }

  /** As it is once it has created its external resource. */
  establish(more: Readonly<Record<string, string>> = {}): void {
    const annotations = {
      [EXTERNAL_NAME]: 'thing',
      [CREATE_PENDING]: this.at(-120_000),
      [CREATE_SUCCEEDED]: this.at(-119_000),
      [OWNERSHIP]: JSON.stringify({ uid: 'uid-1', state: 'held', config: '', name: 'thing' }),
      ...more,
    }
    this.annotate(annotations, { finalizers: [FINALIZER] })
  }

  /** As it is when it is to go. */
  doom(finalizers: readonly string[] = [FINALIZER]): void {
    this.establish()
    this.annotate({}, { deletionTimestamp: this.at(0), finalizers })
  }

  async reconcile(more: Partial<ManagedKind> = {}, context: Partial<ReconcileContext<ManagedResource>> = {}): Promise<Result> {
    // What is in memory is what there was when the reconcile began.
    const seen = this.resource
    const primary = { get: () => seen, byIndex: () => (seen === undefined ? [] : [seen]) } as unknown as InformerReader<ManagedResource>
    const kind: ManagedKind = {
      group: 'fake.weft.dev',
      kind: 'Thing',
      connector: { connect: () => Promise.resolve(this.externalClient()) },
      ...more,
    }
    const services = {
      client: this.client(),
      clock: this.clock,
      random: () => this.random,
      targets: () => [],
      recordEvent: (_object: KubeObject, event: OneReconcile['events'][number]) => void this.events.push(event),
    }
    const given = { client: this.client(), primary, log: silentLog, signal: new AbortController().signal, ...context }
    const follow = (needs: readonly Need[]): void => void (this.needs = needs)
    return managedReconcile(kind, services)({ name: 'thing' }, { follow, ...given } as unknown as ReconcileContext<ManagedResource>)
  }

  externalClient(): ExternalClient {
    return {
      observe: () => {
        this.calls.push('observe')
        return Promise.resolve((this.observations.length > 1 ? this.observations.shift() : this.observations[0]) as Observation)
      },
      create: () => Promise.resolve(void this.calls.push('create')).then(() => ({})),
      update: () => Promise.resolve(void this.calls.push('update')).then(() => ({})),
      delete: () => Promise.resolve(void this.calls.push('delete')),
      ...this.external,
    }
  }

  /** A client that refuses to write when its time is up. */
  client(signal?: AbortSignal): Client {
    const found = (kind: string, name: string): KubeObject | undefined =>
      kind === 'Secret' ? this.secrets.get(name) : name === 'weft-restored' ? this.restored : undefined
    return {
      withSignal: (other: AbortSignal) => this.client(other),
      find: ({ kind }: { kind: string }, { name }: { name: string }) => Promise.resolve(found(kind, name)),
      create: (object: KubeObject) => this.#write('create', object, signal),
      update: (object: KubeObject) => this.#write('update', object, signal),
      updateStatus: (object: KubeObject) => this.#write('status', object, signal),
      patch: (_kind: unknown, _ref: unknown, { body }: { body: { metadata: { uid: string; annotations: Record<string, string> } } }) => {
        const { metadata, ...rest } = this.resource as ManagedResource
        if (body.metadata.uid !== metadata.uid) return Promise.reject(new Error('the patch is for another object'))
        const annotations = { ...metadata.annotations, ...body.metadata.annotations }
        return this.#write('patch', { ...rest, metadata: { ...metadata, annotations } }, signal)
      },
    } as unknown as Client
  }

  #write(verb: string, object: KubeObject, signal: AbortSignal | undefined): Promise<KubeObject> {
    const error = signal?.aborted === true ? new Error('too late') : this.failWrite?.(verb, object)
    if (error !== undefined) return Promise.reject(error)
    this.writes.push(isSecret(object) ? `${verb} secret` : verb)
    if (isSecret(object)) this.secrets.set(object.metadata.name ?? '', object)
    else this.resource = object as ManagedResource
    return Promise.resolve(object)
  }

  at(millis: number): string {
    return new Date(this.clock.now() + millis).toISOString()
  }

  condition(type: string): ReturnType<typeof findCondition> {
    return findCondition(this.resource?.status?.conditions, type)
  }

  annotation(name: string): string | undefined {
    return this.resource?.metadata.annotations?.[name]
  }

  reasons(): readonly string[] {
    return this.events.map(({ type, reason }) => `${type} ${reason}`)
  }
}
