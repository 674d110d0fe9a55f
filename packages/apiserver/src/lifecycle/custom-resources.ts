import { type Condition, deepEqual, formatTime, type KubeObject, setCondition, withMeta } from '@weft/api'
import { approvalOf, type CrdNames, type CrdStatus, type CustomResourceDefinition, isCaBundle, isProtectedGroup } from '@weft/schema'
import {
  type ConversionWebhook,
  CRD_FINALIZER,
  CRD_GROUP,
  CRD_PLURAL,
  customTypes,
  type RegistryServices,
  type ResourceType,
} from '../registry/index.ts'
import { acceptNames, type NamesInUse } from './accepted-names.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

/**
 * Serves what CustomResourceDefinitions define: accepts their names, marks them Established, puts their types into the
 * catalogue, and on deletion removes the instances before the definition.
 */
export class CustomResources implements LifecycleService {
  readonly #services: RegistryServices
  readonly #type: ResourceType
  readonly #webhook: ConversionWebhook
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>
  /** What each definition contributes to the catalogue, and for which spec. */
  readonly #served = new Map<string, { readonly crd: CustomResourceDefinition; readonly types: readonly ResourceType[] }>()
  /** Names of definitions by their group: rivals for names are looked for there, not among thousands. */
  readonly #groups = new Map<string, Set<string>>()
  readonly #cancel: () => void

  constructor(services: RegistryServices, webhook: ConversionWebhook, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#webhook = webhook
    this.#type = services.catalog.builtIn(CRD_GROUP, CRD_PLURAL)
    this.#writer = new SystemWriter(services, 'kube-apiserver')
    this.#queue = new KeyedQueue(
      (name) => this.#reconcile(name),
      (name, error) => onError(`custom resource definition ${name}`, error),
    )
    const store = services.catalog.store(this.#type)
    // What was established before a restart is served at once: clients must not see their kinds vanish.
    for (const { object } of store.scan(this.#type.storage.prefix)) {
      const crd = object as CustomResourceDefinition
      this.#file(crd)
      if (isTrue(crd, 'Established')) this.#serve(crd)
      this.#queue.add(crd.metadata.name ?? '')
    }
    this.#cancel = store.follow(store.revision, (changes) => {
      for (const { type, current } of changes) {
        const crd = current.object as CustomResourceDefinition
        this.#file(crd)
        if (type !== 'deleted') this.#serveEstablished(crd)
        this.#queue.add(crd.metadata.name ?? '')
      }
    })
  }

  async stop(): Promise<void> {
    this.#cancel()
    await this.#queue.stop()
  }

  async #reconcile(name: string): Promise<void> {
    const crd = this.#services.catalog.store(this.#type).get(this.#type.storage.prefix + name)?.object as
      | CustomResourceDefinition
      | undefined
    if (crd === undefined) {
      const gone = this.#served.get(name)
      this.#unserve(name)
      if (gone !== undefined) this.#retryRivals(gone.crd)
      return
    }
    if (crd.metadata.deletionTimestamp !== undefined) {
      await this.#removeInstances(crd)
      return
    }
    if (isTrue(crd, 'Established')) this.#serve(crd)
    const status = this.#statusFor(crd)
    if (!deepEqual(status, crd.status)) await this.#writeStatus(crd, status)
  }

  /** Names are accepted unless another definition of the group, or a built-in kind, has them already. */
  #statusFor(crd: CustomResourceDefinition): CrdStatus {
    const now = formatTime(this.#services.now())
    const { accepted, condition } = acceptNames(withDefaults(crd.spec.names), crd.status?.acceptedNames, this.#namesInUse(crd))
    let conditions = setCondition(crd.status?.conditions, condition, now)
    const established: Condition | undefined =
      condition.status === 'True' && !isTrue(crd, 'Established') && hasInvalidCaBundle(crd)
        ? { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' }
        : condition.status === 'True'
          ? { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
          : isTrue(crd, 'Established')
            ? undefined
            : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
    if (established !== undefined) conditions = setCondition(conditions, established, now)
    if (isProtectedGroup(crd.spec.group)) conditions = setCondition(conditions, approvalCondition(crd), now)
    const storageVersion = crd.spec.versions.find(({ storage }) => storage)?.name ?? ''
    const stored = crd.status?.storedVersions ?? []
    return { conditions, acceptedNames: accepted, storedVersions: stored.includes(storageVersion) ? stored : [...stored, storageVersion] }
  }

  #file({ metadata, spec }: CustomResourceDefinition): void {
    const names = this.#groups.get(spec.group)
    if (names === undefined) this.#groups.set(spec.group, new Set([metadata.name ?? '']))
    else names.add(metadata.name ?? '')
  }

  /** The definitions of a group that are there now. */
  #groupMembers(group: string): CustomResourceDefinition[] {
    const store = this.#services.catalog.store(this.#type)
    const names = this.#groups.get(group)
    return [...(names ?? [])].flatMap((name) => {
      const object = store.get(this.#type.storage.prefix + name)?.object
      if (object === undefined) names?.delete(name)
      return object === undefined ? [] : [object as CustomResourceDefinition]
    })
  }

  #namesInUse(crd: CustomResourceDefinition): NamesInUse {
    const { group } = crd.spec
    const others = this.#groupMembers(group)
      .filter((other) => other.metadata.name !== crd.metadata.name)
      .map((other) => other.status?.acceptedNames)
    const builtins = this.#services.catalog.all().filter((type) => !type.custom && type.group === group)
    const names = [...others, ...builtins]
    const known = (values: readonly (string | undefined)[]): ReadonlySet<string> =>
      new Set(values.filter((value) => value !== undefined && value !== '') as string[])
    return {
      resources: known(names.flatMap((n) => [n?.plural, n?.singular, ...(n?.shortNames ?? [])])),
      kinds: known(names.flatMap((n) => [n?.kind, n?.listKind])),
    }
  }

  /**
   * A kind is served from the moment at which its definition says so, and not before: whoever sees Established in a watch
   * finds the kind and its description, for this comes before any watch is told. What fails is tried again from the queue, and told there.
   */
  #serveEstablished(crd: CustomResourceDefinition): void {
    if (!isTrue(crd, 'Established') || crd.metadata.deletionTimestamp !== undefined) return
    try {
      this.#serve(crd)
    } catch {
      return
    }
  }

  #serve(next: CustomResourceDefinition): void {
    const name = next.metadata.name ?? ''
    const known = this.#served.get(name)
    const areSame =
      known !== undefined && deepEqual(known.crd.spec, next.spec) && deepEqual(known.crd.status?.acceptedNames, next.status?.acceptedNames)
    if (areSame && deepEqual(known.crd.status?.storedVersions, next.status?.storedVersions)) return
    const types = customTypes(next, this.#webhook)
    this.#services.catalog.replace(known?.types ?? [], types, areSame)
    this.#served.set(name, { crd: next, types })
  }

  #unserve(name: string): void {
    const known = this.#served.get(name)
    if (known === undefined) return
    this.#services.catalog.replace(known.types, [])
    for (const type of known.types) this.#services.catalog.dropStore(type.storage.prefix)
    this.#served.delete(name)
  }

  /** Names that were taken may be free now. */
  #retryRivals(gone: CustomResourceDefinition): void {
    for (const crd of this.#groupMembers(gone.spec.group)) if (!isTrue(crd, 'NamesAccepted')) this.#queue.add(crd.metadata.name ?? '')
  }

  async #removeInstances(crd: CustomResourceDefinition): Promise<void> {
    const name = crd.metadata.name ?? ''
    const type =
      this.#served.get(name)?.types[0] ??
      customTypes({ ...crd, spec: { ...crd.spec, versions: crd.spec.versions.map((v) => ({ ...v, served: true })) } }, this.#webhook)[0]
    if (!(crd.metadata.finalizers ?? []).includes(CRD_FINALIZER) || type === undefined) return
    await this.#tell(crd, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    })
    const store = this.#services.catalog.store(type)
    for (const { object } of store.scan(type.storage.prefix)) {
      if (object.metadata.deletionTimestamp !== undefined) continue
      await this.#writer.delete(type, object).catch(unless('NotFound'))
    }
    if (store.size > 0) {
      // Finalizers of instances are other people's work: look again when one goes.
      this.#queue.addAfter(name, 200)
      return
    }
    await this.#tell(crd, { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' })
    await this.#writer
      .update(this.#type, crd, '', (live) =>
        withMeta(live, { finalizers: (live.metadata.finalizers ?? []).filter((f) => f !== CRD_FINALIZER) }),
      )
      .catch(unless('NotFound'))
  }

  async #tell(crd: CustomResourceDefinition, condition: Condition): Promise<void> {
    const now = formatTime(this.#services.now())
    await this.#writer
      .update(this.#type, crd, 'status', (live) => {
        const { status } = live as CustomResourceDefinition
        return { ...live, status: { ...status, conditions: setCondition(status?.conditions, condition, now) } } as KubeObject
      })
      .catch(unless('NotFound'))
  }

  async #writeStatus(crd: CustomResourceDefinition, status: CrdStatus): Promise<void> {
    await this.#writer.update(this.#type, crd, 'status', (live) => ({ ...live, status })).catch(unless('NotFound'))
  }
}

/** Nobody could be asked to convert. */
function hasInvalidCaBundle({ spec }: CustomResourceDefinition): boolean {
  const caBundle = spec.conversion?.webhook?.clientConfig?.caBundle
  return caBundle !== undefined && caBundle !== '' && !isCaBundle(caBundle)
}

/** Only for groups of the Kubernetes community. */
function approvalCondition(crd: CustomResourceDefinition): Condition {
  const { state, reason } = approvalOf(crd)
  const reasons = {
    approved: 'ApprovedAnnotation',
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  } as const
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: reasons[state],
    message: reason,
  }
}

const isTrue = ({ status }: CustomResourceDefinition, type: string): boolean =>
  status?.conditions?.some((c) => c.type === type && c.status === 'True') === true

const withDefaults = (names: CrdNames): CrdNames & { singular: string; listKind: string } => ({
  ...names,
  singular: names.singular ?? names.kind.toLowerCase(),
  listKind: names.listKind ?? `${names.kind}List`,
})
