import { type Condition, deepEqual, formatTime, type KubeObject, setCondition } from '@weft/api'
import { FLOW_CONTROL_GROUP } from '../fairness/index.ts'
import { textAt } from '../kinds/read.ts'
import { type RegistryServices, type ResourceType, storageKey } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { AUTO_UPDATE, SUGGESTED } from './suggested-flow-control.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

const PLURALS = ['prioritylevelconfigurations', 'flowschemas'] as const
const MANAGER = 'api-priority-and-fairness-config-producer-v1'
const CONSUMER = 'api-priority-and-fairness-config-consumer-v1'

/**
 * Keeps the FlowSchemas and priority levels that every server has: makes those that are missing, puts back those that were
 * changed unless whoever did so says that they are to stay, and tells schemas whether their level exists.
 */
export class FlowControl implements LifecycleService {
  readonly #services: RegistryServices
  readonly #producer: SystemWriter
  readonly #consumer: SystemWriter
  readonly #queue: KeyedQueue<'all'>
  readonly #cancels: readonly (() => void)[]

  constructor(services: RegistryServices, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#producer = new SystemWriter(services, MANAGER)
    this.#consumer = new SystemWriter(services, CONSUMER)
    this.#queue = new KeyedQueue(
      () => this.#reconcile(),
      (_key, error) => onError('flow control', error),
    )
    this.#cancels = PLURALS.map((plural) => {
      const store = services.catalog.store(this.#type(plural))
      return store.follow(store.revision, () => this.#queue.add('all'))
    })
    this.#queue.add('all')
  }

  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    await this.#queue.stop()
  }

  /** Before anything is served: what is not classified is not limited. */
  async ensure(): Promise<void> {
    // All at once: concurrent writes share one fsync.
    await Promise.all(PLURALS.flatMap((plural) => SUGGESTED[plural].map((wanted) => this.#keep(this.#type(plural), wanted))))
  }

  async #reconcile(): Promise<void> {
    await this.ensure()
    const levels = this.#type('prioritylevelconfigurations')
    const schemas = this.#type('flowschemas')
    const { catalog } = this.#services
    await Promise.all(
      catalog
        .store(schemas)
        .scan(schemas.storage.prefix)
        .map(async ({ object }) => {
          const level = textAt(object, 'spec', 'priorityLevelConfiguration', 'name')
          const exists = catalog.store(levels).get(storageKey(levels, '', level)) !== undefined
          await this.#tell(schemas, object, dangling(level, exists))
        }),
    )
  }

  async #keep(type: ResourceType, wanted: KubeObject): Promise<void> {
    const live = this.#services.catalog.store(type).get(storageKey(type, '', wanted.metadata.name ?? ''))?.object
    if (live === undefined) return this.#producer.create(type, wanted).catch(unless('AlreadyExists'))
    if (!isKept(live) || deepEqual(live['spec'], wanted['spec'])) return
    await this.#producer.update(type, live, '', (now) => ({ ...now, spec: wanted['spec'] })).catch(unless('NotFound'))
  }

  async #tell(type: ResourceType, schema: KubeObject, condition: Condition): Promise<void> {
    const now = formatTime(this.#services.now())
    const before = (object: KubeObject): readonly Condition[] =>
      (object['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? []
    const told = (object: KubeObject): Condition | undefined =>
      setCondition(before(object), condition, now).find(({ type }) => type === condition.type)
    if (before(schema).some((known) => deepEqual(known, told(schema)))) return
    await this.#consumer.apply(type, schema, 'status', (live) => ({ status: { conditions: [told(live)] } })).catch(unless('NotFound'))
  }

  #type(plural: (typeof PLURALS)[number]): ResourceType {
    return this.#services.catalog.builtIn(FLOW_CONTROL_GROUP, plural)
  }
}

/** Without the annotation an object that nobody has changed yet is ours. */
function isKept({ metadata }: KubeObject): boolean {
  const said = metadata.annotations?.[AUTO_UPDATE]
  return said === 'true' || (said !== 'false' && metadata.generation === 1)
}

const dangling = (level: string, exists: boolean): Condition => ({
  type: 'Dangling',
  status: exists ? 'False' : 'True',
  reason: exists ? 'Found' : 'NotFound',
  message: `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} ${exists ? 'and it exists' : 'but there is no such object'}`,
})
