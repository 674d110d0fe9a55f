import type { CustomResourceDefinition } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { DEFINITION_GROUP } from './kinds.ts'

/**
 * What a kind is to Weft. Only `managed` kinds, `composite` ones (defined infrastructure) and the kinds of a `composite resource` (Crossplane's) are ever made, cluster-wide, for
 * somebody who asks; whatever else lives in the cluster's scope (roles, webhooks, packages, policies, credentials of providers, classes) is `other`, and a
 * class or a Composition must not be a way to it.
 */
export type Nature = 'managed' | 'composite' | 'composite resource' | 'application' | 'requirement' | 'other'

/** By the kind of definition that controls the CustomResourceDefinition: that is Weft's own word, which no category can contradict. */
const BY_DEFINITION: Readonly<Record<string, Nature>> = {
  ManagedResourceDefinition: 'managed',
  InfrastructureDefinition: 'composite',
  ApplicationDefinition: 'application',
  InfrastructurePublication: 'requirement',
}

/** A kind that is in one of these is not managed, whatever else it says of itself. */
const NEVER_MANAGED: ReadonlySet<string> = new Set([
  'class',
  'provider',
  'providerconfig',
  'store',
  'claim',
  'group',
  'definition',
  'pkg',
  'pkgrev',
])

/** A kind that was defined without a ManagedResourceDefinition is managed when its definition says so, by the category `managed`. */
export function natureOf(crd: CustomResourceDefinition): Nature {
  const { group, names } = crd.spec
  if (isReservedGroup(group)) return 'other'
  const controller = controllerOf(crd)
  const { categories = [] } = names
  if (controller?.apiVersion.startsWith(`${DEFINITION_GROUP}/`) === true) {
    // It defines two kinds, and puts what each is last.
    if (controller.kind === 'CompositeResourceDefinition') return categories.at(-1) === 'claim' ? 'requirement' : 'composite resource'
    const defined = BY_DEFINITION[controller.kind]
    if (defined !== undefined) return defined
  }
  return categories.includes('managed') && !categories.some((category) => NEVER_MANAGED.has(category)) ? 'managed' : 'other'
}

const MACHINERY: ReadonlySet<string> = new Set([
  DEFINITION_GROUP,
  'pkg.crossplane.io',
  'aggregation.crossplane.io',
  'infrastructure.crossplane.io',
  'core.crossplane.io',
  'protection.crossplane.io',
  'ops.crossplane.io',
  'weft.dev',
])

/** Groups of Kubernetes itself and of Weft's own machinery: nobody defines kinds in them, and no kind in them is made for anybody. */
export const isReservedGroup = (group: string): boolean =>
  !group.includes('.') || /(^|\.)(k8s|kubernetes)\.io$/.test(group) || MACHINERY.has(group)
