import { deepEqual, formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import {
  cacheKey,
  type Change,
  type Clock,
  type IndexFunction,
  type InformerLease,
  type Random,
  type Secret,
  secretKind,
  systemClock,
} from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf } from '@weft/composition'
import type { ControllerSpec, Manager } from '@weft/runtime'
import { type BindingsTable, buildTable } from '../bindings-table/table.ts'
import {
  AGGREGATE,
  AGGREGATE_CLASS,
  BINDING_DEFINITION,
  COMPOSITE,
  COMPOSITE_CLASS,
  MANAGED_DEFINITION,
  RESOURCE_CLASS,
  sameKind,
} from '../bindings-table/well-known.ts'
import { copiesOf } from '../connection/propagate.ts'
import { groupController, groupControllerName } from '../group/group-controller.ts'
import { AGGREGATES, COMPOSITES } from '../group/group-kind.ts'
import { kindOfRef, specRef } from '../binding/spec-reference.ts'
import { SECRET_CONTROLLER, secretController } from '../secret/secret-controller.ts'
import { type ChooserMode, chooserName, classChooser } from '../selection/class-chooser.ts'
import { wishOf } from '../selection/wish.ts'
import { claimController, claimControllerName } from './claim-controller.ts'
import { ClaimKindRecord } from './claim-kind-record.ts'
import { GoneClaims } from './gone-claims.ts'
import { CLAIM_INDEXES, HOLDING_INDEXES, MEMBER_INDEXES } from './indexes.ts'
import { KindWatches } from './kind-watches.ts'
import { kindOf, ServedKinds } from './served-kinds.ts'
import type { ClaimServices } from './services.ts'
import { GROUP_INDEXES, wakeForClass, wakeForGroup, wakeForManaged, wakeForSecret } from './wake.ts'

export interface ClaimControllersOptions {
  readonly manager: Manager
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  /** The longest that a choice of class is held back (S12). 0: at once; then the first kind to look wins. */
  readonly jitterMs?: number | undefined
  /** How long a claim may be undecided before it is told why. */
  readonly patienceMs?: number | undefined
  /** Does this world end with us? Then kinds that were claims need not be written down for whoever comes next. */
  readonly passing?: boolean | undefined
}

export interface ClaimControllers {
  /** The binding table as it is now. */
  readonly table: BindingsTable
  /** Resolves when the table is complete and controllers were started from it. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

const DEFAULT_JITTER_MS = 100
const DEFAULT_PATIENCE_MS = 2_000

/** Kinds that are looked at whatever the table says. */
const CORE: readonly GroupKind[] = [
  BINDING_DEFINITION,
  RESOURCE_CLASS,
  COMPOSITE_CLASS,
  AGGREGATE_CLASS,
  AGGREGATE,
  COMPOSITE,
  MANAGED_DEFINITION,
]
const TABLE_SOURCES: readonly GroupKind[] = [BINDING_DEFINITION, RESOURCE_CLASS, COMPOSITE_CLASS]
/** Of connection secrets. */
const BY_CONTROLLER = 'weft.secret/controller'
/** Between attempts to read or to write the record of kinds. */
const RECORD_RETRY_MS = 1_000
const MODES: readonly ChooserMode[] = ['selector', 'default']

/**
 * Claims, from the choice of a class to the connection secret, for whatever kinds there are. Follows the binding table and the kinds that are served, and
 * starts and stops controllers as they come and go: a scheduler and a defaulter for each pair of claim and class, and a binder for each kind of claim.
 */
export function startClaimControllers(options: ClaimControllersOptions): ClaimControllers {
  return new RunningClaims(options)
}

class RunningClaims implements ClaimControllers {
  readonly ready: Promise<void>
  readonly #manager: Manager
  readonly #clock: Clock
  readonly #jitterMs: number
  readonly #patienceMs: number
  readonly #served: ServedKinds
  readonly #watches: KindWatches
  readonly #secrets: InformerLease<Secret>
  readonly #stopSecrets: () => void
  readonly #services: ClaimServices
  readonly #record: ClaimKindRecord | undefined
  /** Controllers that were started, by name. */
  readonly #started = new Map<string, ControllerSpec>()
  /** Claims that wait for a kind, by kind. */
  readonly #blocked = new Map<string, Map<string, KubeObject>>()
  #table: BindingsTable = buildTable({ definitions: [] })
  #claims: readonly GroupKind[] = []
  #refreshing = false
  #recording = false
  #complete = false
  #stopped = false

  constructor({
    manager,
    clock = systemClock,
    random = Math.random,
    jitterMs = DEFAULT_JITTER_MS,
    patienceMs = DEFAULT_PATIENCE_MS,
    passing = false,
  }: ClaimControllersOptions) {
    this.#manager = manager
    this.#clock = clock
    this.#jitterMs = jitterMs
    this.#patienceMs = patienceMs
    const { informers } = manager
    this.#record = passing ? undefined : new ClaimKindRecord(manager.client)
    this.#watches = new KindWatches({
      informers,
      onChange: (kind, change) => this.#onChange(kind, change),
      indexes: (kind) => this.#indexesOf(kind),
    })
    this.#served = new ServedKinds(informers, (kind, served) => this.#onServed(kind, served))
    this.#services = {
      watches: this.#watches,
      served: this.#served,
      events: manager.recorder('weft-claims'),
      clock,
      random,
      acceptedBases: new Set(),
      gone: new GoneClaims(),
      secretsControlledBy: (uid) => this.#secrets.informer.byIndex(BY_CONTROLLER, uid),
      findSecret: async (client, address) => this.#secrets.informer.get(address) ?? (await client.find(secretKind, address)),
      table: () => this.#table,
      waitForKind: (kind, claim) => this.#waitForKind(kind, claim),
    }
    this.#secrets = informers.acquire({ kind: secretKind, fieldSelector: `type=${CONNECTION_SECRET_TYPE}` })
    this.#secrets.informer.addIndex(BY_CONTROLLER, (secret) => [controllerOf(secret)?.uid ?? ''])
    this.#stopSecrets = this.#secrets.informer.subscribe((change) => this.#onSecret(change))
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  get table(): BindingsTable {
    return this.#table
  }

  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    this.#stopSecrets()
    await Promise.all([...this.#started.keys()].map((name) => this.#manager.engine.stop(name)))
    await Promise.all([this.#secrets.release(), this.#watches.stop(), this.#served.stop()])
  }

  /** Nobody may win a race because its rows were read first: controllers start when the table is complete. */
  async #begin(): Promise<void> {
    await this.#served.synced
    const record = this.#record
    if (record !== undefined) await this.#insist('the kinds that were claims cannot be read', () => record.load())
    // What is opened after the stop would never be closed.
    if (this.#stopped) return
    this.#watches.watch(CORE.filter((kind) => this.#served.has(kind)))
    this.#run(secretController(this.#services.events))
    while (!this.#stopped && TABLE_SOURCES.some((kind) => this.#served.has(kind) && this.#watches.reader(kind) === undefined))
      await this.#pause(10)
    if (this.#stopped) return
    this.#complete = true
    this.#refresh()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.setTimeout(resolve, ms))
  }

  /** Until it succeeds, or we are stopped. */
  async #insist(complaint: string, work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      try {
        return await work()
      } catch (error) {
        if (this.#stopped) return
        this.#manager.log.error(complaint, { error })
        await this.#pause(RECORD_RETRY_MS)
      }
    }
  }

  #indexesOf(kind: GroupKind): Readonly<Record<string, IndexFunction>> {
    if (sameKind(kind, AGGREGATE) || sameKind(kind, COMPOSITE)) return { ...HOLDING_INDEXES, ...GROUP_INDEXES }
    return this.#claims.some((claim) => sameKind(claim, kind)) ? CLAIM_INDEXES : MEMBER_INDEXES
  }

  #onServed(kind: GroupKind, served: boolean): void {
    this.#scheduleRefresh()
    if (!served) return
    const blocked = this.#blocked.get(formatGroupKind(kind))
    this.#blocked.delete(formatGroupKind(kind))
    for (const claim of blocked?.values() ?? []) this.#wake(claim)
  }

  #onChange(kind: GroupKind, change: Change): void {
    if (TABLE_SOURCES.some((source) => sameKind(source, kind))) this.#scheduleRefresh()
    const context = { watches: this.#watches, claims: this.#claims }
    const wake = (claim: KubeObject): void => this.#wake(claim)
    if (sameKind(kind, MANAGED_DEFINITION) || sameKind(kind, BINDING_DEFINITION)) return
    if (this.#claims.some((claim) => sameKind(claim, kind))) {
      if (change.type === 'deleted') this.#services.gone.add(change.object)
      return
    }
    this.#wakeFormerClaim(change)
    if (sameKind(kind, AGGREGATE) || sameKind(kind, COMPOSITE)) {
      wakeForGroup(context, change, wake)
      return
    }
    // One kind may be both, to different kinds of claim.
    if (this.#isClass(kind)) wakeForClass(context, change, wake)
    if (!this.#isClass(kind) || this.#isManaged(kind)) {
      wakeForManaged(context, change, wake)
      if (change.type === 'deleted') this.#wakeGroupController(change.object)
    }
  }

  /** Something that was made for a claim may become known only after the claim has gone. */
  #wakeFormerClaim({ type, object }: Change): void {
    const ref = specRef(object, 'claimRef')
    const kind = kindOfRef(ref)
    if (type === 'deleted' || kind === undefined || ref?.name === undefined || !this.#services.gone.has(ref.uid)) return
    this.#manager.engine.get(claimControllerName(kind))?.enqueue({ namespace: ref.namespace, name: ref.name })
  }

  #isManaged(kind: GroupKind): boolean {
    return this.#table.managedKinds().some((each) => sameKind(each, kind))
  }

  #isClass(kind: GroupKind): boolean {
    return (
      [AGGREGATE_CLASS, RESOURCE_CLASS, COMPOSITE_CLASS].some((each) => sameKind(each, kind)) ||
      this.#table.classKinds().some((each) => sameKind(each, kind))
    )
  }

  #wakeGroupController(member: KubeObject): void {
    for (const adapter of [AGGREGATES, COMPOSITES]) {
      const name = specRef(member, adapter.memberRef)?.name
      if (name !== undefined) this.#manager.engine.get(groupControllerName(adapter))?.enqueue({ name })
    }
  }

  #onSecret(change: Change<Secret>): void {
    wakeForSecret({ watches: this.#watches, claims: this.#claims }, change, (claim) => this.#wake(claim))
    if (change.type !== 'updated' || deepEqual(change.previous.data, change.object.data)) return
    for (const copy of copiesOf(change.object)) this.#manager.engine.get(SECRET_CONTROLLER)?.enqueue(copy)
  }

  /** The binder looks, and where nobody has decided yet, so do the choosers. */
  #wake(claim: KubeObject): void {
    const { engine } = this.#manager
    const request = { namespace: claim.metadata.namespace, name: claim.metadata.name ?? '' }
    const kind = kindOf(claim)
    engine.get(claimControllerName(kind))?.enqueue(request)
    const mode = wishOf(claim).type
    if (mode !== 'selector' && mode !== 'default') return
    for (const tuple of this.#table.tuples) if (sameKind(tuple.claim, kind)) engine.get(chooserName(tuple, mode))?.enqueue(request)
  }

  #waitForKind(kind: GroupKind, claim: KubeObject): void {
    const key = formatGroupKind(kind)
    const waiting = this.#blocked.get(key) ?? new Map<string, KubeObject>()
    waiting.set(`${formatGroupKind(kindOf(claim))} ${cacheKey(claim.metadata.namespace, claim.metadata.name ?? '')}`, claim)
    this.#blocked.set(key, waiting)
  }

  /** Many changes, one refresh. */
  #scheduleRefresh(): void {
    if (this.#refreshing || !this.#complete || this.#stopped) return
    this.#refreshing = true
    this.#clock.setTimeout(() => {
      this.#refreshing = false
      if (!this.#stopped) this.#refresh()
    }, 0)
  }

  #refresh(): void {
    const listed = (kind: GroupKind): readonly KubeObject[] => this.#watches.reader(kind)?.list() ?? []
    this.#table = buildTable({
      definitions: listed(BINDING_DEFINITION),
      resourceClasses: listed(RESOURCE_CLASS),
      compositeClasses: listed(COMPOSITE_CLASS),
    })
    // What a class or a row calls a claim is one only if it can be: nobody may have controllers let loose on kinds of others.
    const declared = this.#served.claims()
    const claims = [...this.#claims, ...declared, ...(this.#record?.kinds ?? []), ...this.#table.claims].filter((kind) =>
      this.#served.canBeClaimed(kind),
    )
    // A kind that was claimed once stays watched, without a class too: its claims must be released when they go.
    const all = [...new Map(claims.map((kind) => [formatGroupKind(kind), kind])).values()]
    const isAmong = (kinds: readonly GroupKind[], kind: GroupKind): boolean => kinds.some((each) => sameKind(each, kind))
    const record = this.#record
    const unnoted = record === undefined ? [] : all.filter((kind) => !record.has(kind) && !isAmong(declared, kind))
    if (record !== undefined && unnoted.length > 0) this.#note(record, unnoted)
    const before = this.#claims
    this.#claims = all.filter((kind) => !isAmong(unnoted, kind) || isAmong(before, kind))
    const others = [...CORE, ...this.#table.classKinds(), ...this.#table.managedKinds()]
    this.#watches.watch([...this.#claims, ...others.filter((kind) => this.#served.isNamespaced(kind) === false)])
    this.#runExactly(this.#wantedControllers())
  }

  /** Nothing is held before it is written down that it may be: whatever happens then, somebody will be there to release it. */
  #note(record: ClaimKindRecord, kinds: readonly GroupKind[]): void {
    if (this.#recording) return
    this.#recording = true
    const definitions = kinds.flatMap((kind) => this.#served.definitionOf(kind) ?? [])
    void this.#insist('kinds of claim cannot be written down, so their claims wait', () => record.add(definitions)).then(() => {
      this.#recording = false
      this.#scheduleRefresh()
    })
  }

  #wantedControllers(): ReadonlyMap<string, () => ControllerSpec> {
    const services = this.#services
    const wanted = new Map<string, () => ControllerSpec>([[SECRET_CONTROLLER, () => secretController(services.events)]])
    for (const adapter of [AGGREGATES, COMPOSITES])
      if (this.#served.has(adapter.gvk)) wanted.set(groupControllerName(adapter), () => groupController(services, adapter))
    for (const kind of this.#claims)
      wanted.set(claimControllerName(kind), () => claimController({ services, kind, patienceMs: this.#patienceMs + 2 * this.#jitterMs }))
    for (const tuple of this.#table.tuples) {
      if (!this.#served.has(tuple.claim) || !this.#served.has(tuple.class)) continue
      for (const mode of MODES)
        wanted.set(chooserName(tuple, mode), () => classChooser({ services, tuple, mode, jitterMs: this.#jitterMs }))
    }
    return wanted
  }

  #runExactly(wanted: ReadonlyMap<string, () => ControllerSpec>): void {
    for (const name of [...this.#started.keys()]) {
      if (wanted.has(name)) continue
      this.#started.delete(name)
      void this.#manager.engine.stop(name)
    }
    for (const [name, make] of wanted) if (!this.#started.has(name)) this.#run(make())
  }

  #run<T extends KubeObject>(spec: ControllerSpec<T>): void {
    this.#started.set(spec.name, spec as unknown as ControllerSpec)
    this.#manager.engine
      .start(spec)
      .catch((error: unknown) => this.#manager.log.error('a controller cannot be started', { controller: spec.name, error }))
  }
}
