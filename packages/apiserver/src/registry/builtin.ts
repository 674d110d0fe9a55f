import { deepEqual, type KubeObject, withMeta } from '@weft/api'
import { compileRules } from '@weft/cel'
import { type BuiltinKind, conform, type Message, schemaOf } from '../kinds/index.ts'
import { type CustomResourceDefinition, defaultCrd, validateCrdSpec } from '@weft/schema'
import { resourcePrefix } from '../storage/index.ts'
import { CRD_GROUP } from './custom.ts'
import { formatWarnings } from './format-warnings.ts'
import { serviceAllocation } from './service-allocation.ts'
import type { Conversion, Deletion, ResourceType, Strategy } from './resource-type.ts'

/** A row of the table of built-in kinds as something the server can serve. */
export function builtinType(kind: BuiltinKind): ResourceType {
  const { storedAs = kind } = kind
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    listKind: kind.listKind,
    plural: kind.plural,
    singular: kind.singular,
    shortNames: kind.shortNames,
    categories: kind.categories,
    namespaced: kind.namespaced,
    verbs: kind.verbs,
    // Two views of one kind (core and events.k8s.io Events) have the same plural, so the stored group names the place.
    storage: {
      group: storedAs.group,
      version: storedAs.version,
      kind: storedAs.kind,
      prefix: resourcePrefix(storedAs.group, kind.plural),
    },
    subresources: kind.subresources.map(({ name, verbs, strategy, kind: bodyKind, scale }) => ({
      name,
      verbs,
      strategy,
      ...(bodyKind && { kind: bodyKind }),
      ...(scale && { scale }),
    })),
    get schema() {
      return schemaOf(kind.message)
    },
    custom: false,
    decode: (object, onUnknown) => kind.strategy.default(conformed(kind.message, object, onUnknown)),
    get zero() {
      return zeroOf(kind)
    },
    columns: kind.columns,
    selectableFields: new Map(Object.entries(kind.selectableFields)),
    strategy: isDefinition(kind) ? definitionStrategy(kind.strategy) : kind.strategy,
    bumpsGeneration:
      kind.generation.length === 0 ? undefined : (next, old) => kind.generation.some((field) => !deepEqual(next[field], old[field])),
    ...(isService(kind) && { allocation: serviceAllocation }),
    deletion: deletions[`${kind.kind}.${kind.group}`] ?? {},
    conversion: kind.storedAs === undefined ? undefined : conversionOf(kind.storedAs),
  }
}

const zeros = new WeakMap<BuiltinKind, KubeObject>()

function zeroOf(kind: BuiltinKind): KubeObject {
  let zero = zeros.get(kind)
  if (zero === undefined) {
    const typed = { apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind, metadata: {} }
    zeros.set(kind, (zero = conformed(kind.message, typed)))
  }
  return zero
}

const isDefinition = ({ group, kind }: BuiltinKind): boolean => group === CRD_GROUP && kind === 'CustomResourceDefinition'

const isService = ({ group, kind }: BuiltinKind): boolean => group === '' && kind === 'Service'

/** What makes a definition valid is the schema package's knowledge. */
const definitionStrategy = (strategy: Strategy): Strategy => ({
  ...strategy,
  warnings: (crd, old) => formatWarnings(crd as CustomResourceDefinition, old as CustomResourceDefinition | undefined),
  default: (crd) => defaultCrd(crd as CustomResourceDefinition),
  validate: (crd) => validateCrdSpec(crd as CustomResourceDefinition, undefined, { rules: compileRules }),
  validateUpdate: (next, old) =>
    validateCrdSpec(next as CustomResourceDefinition, old as CustomResourceDefinition, { rules: compileRules }),
})

function conformed(message: Message, value: KubeObject, onUnknown?: (path: string) => void): KubeObject {
  const { object, unknownFields } = conform(message, value, { complete: true })
  if (onUnknown !== undefined) unknownFields.forEach(onUnknown)
  return object as unknown as KubeObject
}

const conversionOf = (storedAs: NonNullable<BuiltinKind['storedAs']>): Conversion => ({
  toStored: (objects) => objects.map((object) => storedAs.toStored(object)),
  fromStored: (objects) => objects.map((object) => storedAs.fromStored(object)),
})

export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

const deletions: Readonly<Record<string, Deletion>> = {
  'ServiceAccount.': { answersObject: true },
  'ResourceQuota.': { answersObject: true },
  'Service.': { answersObject: true },
  'PodTemplate.': { answersObject: true },
  'Pod.': { answersObject: true, gracePeriod: gracePeriodOfPod },
  'PersistentVolume.': { answersObject: true },
  'PersistentVolumeClaim.': { answersObject: true },
  'StorageClass.storage.k8s.io': { answersObject: true },
  'VolumeAttachment.storage.k8s.io': { answersObject: true },
  'CSIDriver.storage.k8s.io': { answersObject: true },
  'CSINode.storage.k8s.io': { answersObject: true },
  'VolumeAttributesClass.storage.k8s.io': { answersObject: true },
  'Namespace.': {
    answersObject: true,
    isHeld: (namespace) => ((namespace['spec'] as { finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0,
    begin: (namespace) => ({ ...namespace, status: { ...(namespace['status'] as object | undefined), phase: 'Terminating' } }),
  },
  'CustomResourceDefinition.apiextensions.k8s.io': { begin: beginCrdDeletion },
}

/** What runs on no node, or has ended, goes at once. Nothing here ends the others: a second DELETE without grace does. */
function gracePeriodOfPod(pod: KubeObject, wanted: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = (pod['spec'] ?? {}) as PodSpec
  const { phase = '' } = (pod['status'] ?? {}) as { phase?: string }
  if (nodeName === '' || phase === 'Failed' || phase === 'Succeeded') return 0
  const period = wanted ?? terminationGracePeriodSeconds
  return period < 0 ? 1 : period
}

interface PodSpec {
  readonly nodeName?: string
  readonly terminationGracePeriodSeconds?: number
}

/** Instances go first: the finalizer keeps the definition until the lifecycle controller has removed them. */
function beginCrdDeletion(crd: KubeObject, now: string): KubeObject {
  const status = (crd['status'] ?? {}) as { conditions?: readonly { type: string }[] }
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  const conditions = [...(status.conditions ?? []).filter(({ type }) => type !== 'Terminating'), terminating]
  const finalizers = [...(crd.metadata.finalizers ?? []).filter((f) => f !== CRD_FINALIZER), CRD_FINALIZER]
  return withMeta({ ...crd, status: { ...status, conditions } }, { finalizers })
}
