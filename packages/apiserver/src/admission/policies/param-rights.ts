import { deepEqual, field, type FieldError, invalid, parseGroupVersion } from '@weft/api'
import { type Authorizer, isMaster, resourceAttributes } from '../../auth/index.ts'
import { type Catalog, storageKey } from '../../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts'
import type { MutatingPolicy, ParamKind, Policy, PolicyBinding } from './policy-objects.ts'

const GROUP = 'admissionregistration.k8s.io'
/** By the plural of a binding, that of what it binds. */
const POLICY_OF: ReadonlyMap<string, string> = new Map([
  ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'],
  ['mutatingadmissionpolicybindings', 'mutatingadmissionpolicies'],
])
const POLICIES: ReadonlySet<string> = new Set(POLICY_OF.values())

/**
 * A policy may say in its messages, and write into objects, what its parameters hold. So whoever names a kind of parameters must be allowed to
 * read all of them, and whoever binds a policy to some must be allowed to read those.
 */
export function paramRights(catalog: Catalog, authorizer: () => Authorizer): AdmissionPlugin {
  return {
    name: 'ParamRights',
    validate(request) {
      const { type, object, operation, subresource, user } = request
      if (type.group !== GROUP || object === undefined || operation === 'DELETE' || subresource !== '' || isMaster(user)) return
      const problem = POLICIES.has(type.plural)
        ? policyProblem(request, catalog, authorizer())
        : POLICY_OF.has(type.plural)
          ? bindingProblem(request, catalog, authorizer())
          : undefined
      if (problem !== undefined) throw invalid({ group: GROUP, kind: object.kind, name: object.metadata.name ?? '' }, [problem])
    },
  }
}

function policyProblem({ object, oldObject, user }: AdmissionRequest, catalog: Catalog, authorizer: Authorizer): FieldError | undefined {
  const paramKind = (object as Policy | MutatingPolicy).spec?.paramKind
  if (paramKind === undefined || deepEqual(paramKind, (oldObject as Policy | undefined)?.spec?.paramKind)) return undefined
  const wanted = { verb: 'get', name: '*', namespace: '*', ...resourceOf(catalog, paramKind) }
  if (authorizer.authorize(resourceAttributes(user, wanted)).allowed) return undefined
  const { kind, apiVersion } = paramKind
  return field.forbidden(
    'spec.paramKind',
    `user "${user.username}" must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
  )
}

function bindingProblem(
  { type, object, oldObject, user }: AdmissionRequest,
  catalog: Catalog,
  authorizer: Authorizer,
): FieldError | undefined {
  const { spec } = object as PolicyBinding
  const old = (oldObject as PolicyBinding | undefined)?.spec
  if (spec?.paramRef === undefined || (spec.policyName === old?.policyName && deepEqual(spec.paramRef, old.paramRef))) return undefined
  const policy = findPolicy(catalog, POLICY_OF.get(type.plural) ?? '', spec.policyName)
  const { name = '', namespace = '' } = spec.paramRef
  const verb = name === '' ? 'list' : 'get'
  if (authorizer.authorize(resourceAttributes(user, { verb, name, namespace, ...resourceOf(catalog, policy?.spec?.paramKind) })).allowed)
    return undefined
  return field.forbidden(
    'spec.paramRef',
    policy === undefined
      ? `unable to get policy ${spec.policyName} to determine minimum required permissions and user "${user.username}" does not have "${verb}" permission for all groups, versions and resources`
      : `user "${user.username}" does not have "${verb}" permission on the object referenced by paramRef`,
  )
}

/** Of a kind that is not served, or not known, everything may be meant. */
function resourceOf(catalog: Catalog, paramKind: ParamKind | undefined): { apiGroup: string; apiVersion: string; resource: string } {
  if (paramKind === undefined) return { apiGroup: '*', apiVersion: '*', resource: '*' }
  const { group, version } = parseGroupVersion(paramKind.apiVersion)
  return { apiGroup: group, apiVersion: version, resource: catalog.findKind(group, version, paramKind.kind)?.plural ?? '*' }
}

function findPolicy(catalog: Catalog, plural: string, name: string): Policy | undefined {
  const type = catalog.find(GROUP, 'v1', plural)
  return type === undefined ? undefined : (catalog.store(type).get(storageKey(type, '', name))?.object as Policy | undefined)
}
