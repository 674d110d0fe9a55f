import type { KubeObject } from '@weft/api'
import { formatGroupKind, gvkOf } from '@weft/api'
import type { PackageType } from './package.ts'

const WEBHOOKS = [
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
]

/** What a package of each type may carry. Everything else is refused: a package must not bring, say, roles or secrets along. */
const CARRIED: Readonly<Record<PackageType, ReadonlySet<string>>> = {
  Provider: new Set([
    // Managed kinds, either way (M5), class kinds and provider configurations.
    'CustomResourceDefinition.apiextensions.k8s.io',
    'ManagedResourceDefinition.apiextensions.crossplane.io',
    ...WEBHOOKS,
    // What the provider contributes to the binding table and to references, as data.
    'ResourceBindingDefinition.weft.dev',
    'ResourceReferenceDefinition.weft.dev',
  ]),
  Configuration: new Set([
    'CompositeResourceDefinition.apiextensions.crossplane.io',
    'Composition.apiextensions.crossplane.io',
    'ApplicationDefinition.apiextensions.crossplane.io',
    'InfrastructureDefinition.apiextensions.crossplane.io',
    'InfrastructurePublication.apiextensions.crossplane.io',
    // M10
    'ManagedResourceActivationPolicy.apiextensions.crossplane.io',
    'Operation.ops.crossplane.io',
    'CronOperation.ops.crossplane.io',
    'WatchOperation.ops.crossplane.io',
    'AggregateResourceClass.aggregation.crossplane.io',
    'ResourceClass.infrastructure.crossplane.io',
    'CompositeResourceClass.infrastructure.crossplane.io',
  ]),
  // Schemas of its input, for tools; nothing of a function is installed.
  Function: new Set(['CustomResourceDefinition.apiextensions.k8s.io']),
}

/** A typed class (seed 003) is of a kind that its provider defines, so it is known by its name alone: `CloudSQLInstanceClass`. */
const isTypedClass = ({ group, kind }: { group: string; kind: string }): boolean =>
  /^[A-Z][A-Za-z0-9]+Class$/.test(kind) && isOwnGroup(group)

/** Kubernetes' own classes (StorageClass, IngressClass, PriorityClass) are not ours to install. */
const isOwnGroup = (group: string): boolean => group.includes('.') && !/(^|\.)k8s\.io$/.test(group)

export function mayCarry(type: PackageType, object: KubeObject): boolean {
  const gvk = gvkOf(object)
  return CARRIED[type].has(formatGroupKind(gvk)) || (type === 'Configuration' && isTypedClass(gvk))
}

/** For messages. */
export function carriedBy(type: PackageType): string {
  const kinds = [...CARRIED[type]].map((name) => name.slice(0, name.indexOf('.')))
  return [...kinds, ...(type === 'Configuration' ? ['classes of providers'] : [])].join(', ')
}
