import type { KubeObject } from '@weft/api'
import { checkTypes } from '../admission/policies/type-check.ts'
import { type RegistryServices, type ResourceType, storageKey } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

const GROUP = 'admissionregistration.k8s.io'
/** The controller of Kubernetes that does the same: tools look for its name in managedFields. */
const MANAGER = 'validatingadmissionpolicy-status'

/** Checks the expressions of each ValidatingAdmissionPolicy against the kinds that it names, and says in its status what does not fit. */
export class PolicyTypes implements LifecycleService {
  readonly #services: RegistryServices
  readonly #type: ResourceType
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>
  readonly #cancel: () => void

  constructor(services: RegistryServices, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#type = services.catalog.builtIn(GROUP, 'validatingadmissionpolicies')
    this.#writer = new SystemWriter(services, MANAGER)
    this.#queue = new KeyedQueue(
      (name) => this.#check(name),
      (name, error) => onError(`types of policy ${name}`, error),
    )
    const store = services.catalog.store(this.#type)
    const due = (policy: KubeObject): void => {
      if (!isChecked(policy)) this.#queue.add(policy.metadata.name ?? '')
    }
    this.#cancel = store.follow(store.revision, (changes) => {
      for (const { type, current } of changes) if (type !== 'deleted') due(current.object)
    })
    for (const { object } of store.scan(this.#type.storage.prefix)) due(object)
  }

  async stop(): Promise<void> {
    this.#cancel()
    await this.#queue.stop()
  }

  async #check(name: string): Promise<void> {
    const { catalog } = this.#services
    const policy = catalog.store(this.#type).get(storageKey(this.#type, '', name))?.object
    if (policy === undefined || isChecked(policy)) return
    const expressionWarnings = await checkTypes(policy, catalog)
    const status = {
      observedGeneration: policy.metadata.generation,
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    }
    await this.#writer
      .apply(this.#type, policy, 'status', (live) =>
        // Changed meanwhile: it is in the queue again.
        live.metadata.generation === policy.metadata.generation && live.metadata.uid === policy.metadata.uid ? { status } : undefined,
      )
      .catch(unless('NotFound'))
  }
}

const isChecked = ({
  metadata: { generation = 0 },
  status,
}: KubeObject & { readonly status?: { readonly observedGeneration?: number } }): boolean => (status?.observedGeneration ?? 0) >= generation
