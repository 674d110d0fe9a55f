import { type KubeObject, notFound, StatusError } from '@weft/api'
import type { PolicyInput } from '@weft/cel'
import type { Authorizer } from '../../auth/index.ts'
import type { Catalog, ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { expressionAuthorizer, requestResource } from '../expressions/authorizer.ts'
import { requestFields } from '../expressions/request-fields.ts'
import { type MatchWorld, namespaceOf } from '../matching/criteria.ts'
import type { CompiledBinding, MatchedPolicy } from './compile-policy.ts'
import { collectParams, ConfigurationError, type Params, paramType } from './params.ts'

export interface PolicyParts {
  readonly catalog: Catalog
  readonly world: MatchWorld
  readonly authorizer: () => Authorizer
  /** False while the server starts. */
  readonly enabled: () => boolean
}

/** The version in which a policy wants to see the request; undefined: it is not about it. Throws ConfigurationError. */
export function matchedType(policy: MatchedPolicy, request: AdmissionRequest, { catalog, world }: PolicyParts): ResourceType | undefined {
  const type = policy.criteria.matches(request, world)
  // The parameter kind must be known even to bindings that do not use it.
  if (type !== undefined && policy.paramKind !== undefined) paramType(catalog, policy.paramKind)
  return type
}

/** The parameters under which a binding applies its policy to the request; none: it does not. Throws ConfigurationError. */
export async function boundParams(
  policy: MatchedPolicy,
  binding: CompiledBinding,
  request: AdmissionRequest,
  { catalog, world }: PolicyParts,
): Promise<Params> {
  if (binding.criteria !== undefined && binding.criteria.matches(request, world) === undefined) return []
  return collectParams(catalog, { paramKind: policy.paramKind, paramRef: binding.paramRef, namespace: namespaceOf(request) })
}

/** Runs what may find the policy, or the binding, unusable, and tells why it is. */
export async function configured<T>(
  binding: CompiledBinding | undefined,
  run: () => T | Promise<T>,
  onProblem: (message: string) => void,
): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error
    onProblem(`failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`)
    return undefined
  }
}

/** What a request offers to the expressions of a policy, but for its objects and the parameters. */
export const requestInput = (request: AdmissionRequest, type: ResourceType, { authorizer, world }: PolicyParts): PolicyInput => ({
  request: requestFields(request, type),
  namespaceObject: namespaceObject(request, world),
  authorizer: expressionAuthorizer(authorizer(), request.user),
  requestResource: requestResource(request),
})

function namespaceObject({ type, namespace }: AdmissionRequest, world: MatchWorld): KubeObject | undefined {
  if (!type.namespaced) return undefined
  const found = world.namespace(namespace)
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces', name: namespace })
  return found
}

/** Kubernetes' match conditions do not see the namespace object. */
export function conditionInput({ namespaceObject: _namespace, ...input }: PolicyInput): PolicyInput {
  return input
}
