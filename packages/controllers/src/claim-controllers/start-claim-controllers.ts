import { formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import { type Clock, type InformerLease, type Kind, type Random, type Secret, secretKind, systemClock } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { type ControllerSpec, createWatchSet, type Manager, type WatchScope, type WatchSet } from '@weft/runtime'
import { type BindingsTable, buildTable } from '../bindings-table/table.ts'
import {
  AGGREGATE,
  AGGREGATE_CLASS,
  BINDING_DEFINITION,
  COMPOSITE,
  COMPOSITE_CLASS,
  kindOnly,
  MANAGED_DEFINITION,
  RESOURCE_CLASS,
  sameKind,
} from '../bindings-table/well-known.ts'
import { CONNECTION_SECRETS } from '../connection/secret.ts'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import { groupController, groupControllerName } from '../group/group-controller.ts'
import { AGGREGATES, COMPOSITES } from '../group/group-kind.ts'
import { SECRET_CONTROLLER, secretController } from '../secret/secret-controller.ts'
import { type ChooserMode, chooserName, classChooser } from '../selection/class-chooser.ts'
import { claimController, claimControllerName } from './claim-controller.ts'
import { ClaimKindRecord } from '../claim/claim-kind-record.ts'
import { GROUP_INDEXES } from './claim-watches.ts'
import { JustChosen } from '../claim/chosen-news.ts'
import { nameAtOnce } from './name-at-once.ts'
import { GoneClaims } from '../claim/gone-claims.ts'
import { HOLDING_INDEXES, MEMBER_INDEXES } from '../claim/indexes.ts'
import { ServedKinds } from '../claim/served-kinds.ts'
import type { ClaimServices } from '../claim/services.ts'

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
  /** Resolves when the table is complete and controllers were started from it; also when they are stopped before. */
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

/** How far it has come. Whatever happens, `#advance` does what there is to do in the state that it is in. */
type State =
  /** Which kinds are served, and which were claims once, is not known yet. What cannot be read is tried again. */
  | { readonly phase: 'opening' }
  /** The rows of the table are being read. Nobody may win a race because its rows were read first: controllers start when it is complete. */
  | { readonly phase: 'reading' }
  /** Controllers follow the table. While kinds are being written down, their claims wait, and no others are written down. */
  | { readonly phase: 'running'; readonly isNoting: boolean }
  | { readonly phase: 'stopped' }

class RunningClaims implements ClaimControllers {
  readonly ready: Promise<void>
  #isReady!: () => void
  readonly #manager: Manager
  readonly #clock: Clock
  readonly #jitterMs: number
  readonly #patienceMs: number
  readonly #served: ServedKinds
  /** What claims may be satisfied from and by, and where that is written. */
  readonly #watches: WatchSet
  /** The claims themselves: that they go has to be seen. */
  readonly #claimWatches: WatchSet
  readonly #secrets: InformerLease<Secret>
  readonly #services: ClaimServices
  readonly #record: ClaimKindRecord | undefined
  /** Controllers that were started, by name. */
  readonly #started = new Map<string, ControllerSpec>()
  #table: BindingsTable = buildTable({ definitions: [] })
  #claims: readonly GroupKind[] = []
  #state: State = { phase: 'opening' }
  /** Of a look that is due. */
  #timer: unknown

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
    this.#watches = createWatchSet(informers)
    this.#watches.subscribe((_change, { kind }) => {
      if (TABLE_SOURCES.some((source) => sameKind(source, kind))) this.#advanceSoon()
    })
    const gone = new GoneClaims()
    this.#claimWatches = createWatchSet(informers)
    this.#claimWatches.subscribe(({ type, object }) => {
      if (type === 'deleted') gone.add(object)
    })
    this.#secrets = informers.acquire(CONNECTION_SECRETS)
    this.#secrets.informer.addIndex(BY_CONTROLLER, (secret) => [controllerOf(secret)?.uid ?? ''])
    this.#served = new ServedKinds(informers, () => this.#advanceSoon())
    this.#services = {
      watches: this.#watches,
      served: this.#served,
      events: manager.recorder('weft-claims'),
      clock,
      random,
      acceptedBases: new Set(),
      justChosen: new JustChosen(),
      gone,
      secretsControlledBy: (uid) => this.#secrets.informer.byIndex(BY_CONTROLLER, uid),
      findSecret: async (client, address) => this.#secrets.informer.get(address) ?? (await client.find(secretKind, address)),
      table: () => this.#table,
    }
    this.ready = new Promise((resolve) => (this.#isReady = resolve))
    void this.#open()
  }

  get table(): BindingsTable {
    return this.#table
  }

  async stop(): Promise<void> {
    if (this.#isStopped()) return
    this.#state = { phase: 'stopped' }
    this.#isReady()
    this.#clock.clearTimeout(this.#timer)
    await Promise.all([...this.#started.keys()].map((name) => this.#manager.engine.stop(name)))
    await Promise.all([this.#secrets.release(), this.#watches.close(), this.#claimWatches.close(), this.#served.stop()])
  }

  #isStopped(): boolean {
    return this.#state.phase === 'stopped'
  }

  async #open(): Promise<void> {
    const isKnown = await this.#served.synced.then(
      () => true,
      () => false,
    )
    // Nobody watches any more: the manager has stopped.
    if (!isKnown) return
    const record = this.#record
    if (record !== undefined) await this.#insist('the kinds that were claims cannot be read', () => record.load())
    if (this.#isStopped()) return
    this.#run(secretController(this.#services.events))
    this.#state = { phase: 'reading' }
    this.#advance()
  }

  /** Until it succeeds, or we are stopped. */
  async #insist(complaint: string, work: () => Promise<void>): Promise<void> {
    while (!this.#isStopped()) {
      try {
        return await work()
      } catch (error) {
        if (this.#isStopped()) return
        this.#manager.log.error(complaint, { error })
        await new Promise((resolve) => this.#clock.setTimeout(() => resolve(undefined), RECORD_RETRY_MS))
      }
    }
  }

  /** Many changes, one look. */
  #advanceSoon(): void {
    if (this.#timer !== undefined || this.#isStopped()) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined
      this.#advance()
    }, 0)
  }

  #advance(): void {
    switch (this.#state.phase) {
      case 'opening':
      case 'stopped':
        return
      case 'reading':
        if (!this.#hasRead()) return
        this.#state = { phase: 'running', isNoting: false }
        this.#refresh()
        this.#isReady()
        return
      case 'running':
        this.#refresh()
    }
  }

  /** Are all rows there? If not, it is looked at again when they are, or when kinds come or go. */
  #hasRead(): boolean {
    this.#watch(CORE.filter((kind) => this.#served.has(kind)))
    const missing = TABLE_SOURCES.filter((kind) => this.#served.has(kind) && this.#watches.reader(kind) === undefined)
    if (missing.length === 0) return true
    this.#watches.complete(missing).then(
      () => this.#advanceSoon(),
      () => undefined,
    )
    return false
  }

  #watch(kinds: readonly GroupKind[]): void {
    this.#watches.use('table', kinds.map(scopeOf))
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
    this.#claimWatches.use(
      'claims',
      this.#claims.map((kind) => ({ kind: kindOnly(kind) })),
    )
    const others = [...CORE, ...this.#table.classKinds(), ...this.#table.managedKinds()]
    this.#watch(others.filter((kind) => this.#served.isNamespaced(kind) === false))
    this.#runExactly(this.#wantedControllers())
  }

  /** Nothing is held before it is written down that it may be: whatever happens then, somebody will be there to release it. */
  #note(record: ClaimKindRecord, kinds: readonly GroupKind[]): void {
    if (this.#state.phase !== 'running' || this.#state.isNoting) return
    this.#state = { phase: 'running', isNoting: true }
    const definitions = kinds.flatMap((kind) => this.#served.definitionOf(kind) ?? [])
    void this.#insist('kinds of claims cannot be recorded, so their claims wait', () => record.add(definitions)).then(() => {
      if (this.#isStopped()) return
      this.#state = { phase: 'running', isNoting: false }
      this.#advanceSoon()
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
        wanted.set(chooserName(tuple, mode), () => classChooser({ services, tuple, mode, jitterMs: this.#jitterMs, name: nameAtOnce }))
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

function scopeOf(kind: GroupKind): WatchScope {
  // Of thousands of definitions there must be one copy, and without their schemas: the one that their controller has.
  if (sameKind(kind, MANAGED_DEFINITION)) return { kind: managedResourceDefinitionKind as Kind }
  const isGroup = sameKind(kind, AGGREGATE) || sameKind(kind, COMPOSITE)
  return { kind: kindOnly(kind), indexes: isGroup ? { ...HOLDING_INDEXES, ...GROUP_INDEXES } : MEMBER_INDEXES }
}
