import { isDns1123Label, isDns1123Subdomain } from '@weft/api'
import { LIST_COST, STRING_FACTOR, STRUCT_COST, add, fixed, scale, type Interval } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { OpaqueValue, sizeOf, type Value } from '../eval/value.ts'
import { BOOL, STRING, opaqueType, type OpaqueType } from '../types/type.ts'
import { fn, memberOverload, type Library, type Overload } from './library.ts'

/** What a check asks. Empty strings mean "not given". */
export interface AuthorizationAttributes {
  /** The service account to ask for; absent: whoever made the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  /** A path outside resources (`/healthz`); then the resource fields are empty. */
  readonly path: string
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly fieldSelector: string
  readonly labelSelector: string
}

export interface AuthorizationDecision {
  readonly allowed: boolean
  readonly reason: string
  /** Why the check itself failed. */
  readonly error?: string
}

/**
 * Answers checks that expressions make. Called while an expression runs, so it must answer at once and must not
 * throw; a check that fails is a decision with `error`. The same question may be asked again.
 */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision
}

const named = (name: string): OpaqueType => opaqueType(`kubernetes.authorization.${name}`)
export const AUTHORIZER_TYPE: OpaqueType = named('Authorizer')
const PATH_CHECK = named('PathCheck')
const GROUP_CHECK = named('GroupCheck')
export const RESOURCE_CHECK_TYPE: OpaqueType = named('ResourceCheck')
const DECISION = named('Decision')

const NOTHING: AuthorizationAttributes = {
  path: '',
  verb: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
}

/** An authorizer or a check being put together: which of them is in `type`. */
class CheckValue extends OpaqueValue {
  readonly type: OpaqueType
  readonly authorizer: Authorizer
  readonly attributes: AuthorizationAttributes
  constructor(type: OpaqueType, authorizer: Authorizer, attributes: AuthorizationAttributes) {
    super()
    this.type = type
    this.authorizer = authorizer
    this.attributes = attributes
  }
  equals(other: OpaqueValue): boolean {
    return other === this
  }
  with(type: OpaqueType, changes: Partial<AuthorizationAttributes>): CheckValue {
    return new CheckValue(type, this.authorizer, { ...this.attributes, ...changes })
  }
}

class DecisionValue extends OpaqueValue {
  readonly type: OpaqueType = DECISION
  readonly decision: AuthorizationDecision
  constructor(decision: AuthorizationDecision) {
    super()
    this.decision = decision
  }
  equals(other: OpaqueValue): boolean {
    return other === this
  }
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (authorizer: Authorizer): OpaqueValue => new CheckValue(AUTHORIZER_TYPE, authorizer, NOTHING)

/** The value of `authorizer.requestResource`: a check for the resource of the request. */
export const resourceCheckValue = (authorizer: Authorizer, attributes: Partial<AuthorizationAttributes>): OpaqueValue =>
  new CheckValue(RESOURCE_CHECK_TYPE, authorizer, { ...NOTHING, ...attributes })

const filled = (name: string, text: string): string => {
  if (text.trim() === '') throw new Fault(`${name} must not be empty`)
  return text
}

function forServiceAccount(value: CheckValue, namespace: string, name: string): CheckValue {
  if (isDns1123Label(namespace).length > 0) throw new Fault('Invalid service account namespace')
  if (isDns1123Subdomain(name).length > 0) throw new Fault('Invalid service account name')
  return value.with(AUTHORIZER_TYPE, { serviceAccount: { namespace, name } })
}

/** At most two checks fit in one expression's budget. */
const CHECK_COST = 350_000
const checkCosts: Pick<Overload, 'cost' | 'estimate'> = { cost: () => CHECK_COST, estimate: () => ({ cost: fixed(CHECK_COST) }) }

const check = (value: CheckValue, verb: string): Value => new DecisionValue(value.authorizer.authorize({ ...value.attributes, verb }))

/** A selector becomes a list of requirements, at least two characters each. */
const selectorCost = (length: Interval): Interval =>
  add(fixed(LIST_COST), add(scale(length, STRING_FACTOR), scale(scale(length, 0.5), LIST_COST + STRUCT_COST)))
const selectorCosts: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([, text]) => Number(selectorCost(fixed(sizeOf(text as Value))).max),
  estimate: ({ args: [text] }) => (text === undefined ? undefined : { cost: selectorCost(text.size) }),
}

type ResourceField = 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector'
const resourceField = (field: ResourceField, id: string, costs: Pick<Overload, 'cost' | 'estimate'> = {}) =>
  fn(
    field,
    memberOverload(
      id,
      [RESOURCE_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      (value: CheckValue, text: string) => value.with(RESOURCE_CHECK_TYPE, { [field]: text }),
      costs,
    ),
  )

export const AUTHORIZER: Library = {
  name: 'kubernetes.authz',
  functions: [
    fn(
      'path',
      memberOverload('authorizer_path', [AUTHORIZER_TYPE, STRING], PATH_CHECK, (value: CheckValue, path: string) =>
        value.with(PATH_CHECK, { path: filled('path', path) }),
      ),
    ),
    fn(
      'group',
      memberOverload('authorizer_group', [AUTHORIZER_TYPE, STRING], GROUP_CHECK, (value: CheckValue, group: string) =>
        value.with(GROUP_CHECK, { group }),
      ),
    ),
    fn(
      'serviceAccount',
      memberOverload('authorizer_serviceaccount', [AUTHORIZER_TYPE, STRING, STRING], AUTHORIZER_TYPE, forServiceAccount),
    ),
    fn(
      'resource',
      memberOverload('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK_TYPE, (value: CheckValue, resource: string) =>
        value.with(RESOURCE_CHECK_TYPE, { resource: filled('resource', resource) }),
      ),
    ),
    resourceField('subresource', 'resourcecheck_subresource'),
    resourceField('namespace', 'resourcecheck_namespace'),
    resourceField('name', 'resourcecheck_name'),
    resourceField('fieldSelector', 'authorizer_fieldselector', selectorCosts),
    resourceField('labelSelector', 'authorizer_labelselector', selectorCosts),
    fn(
      'check',
      memberOverload('pathcheck_check', [PATH_CHECK, STRING], DECISION, check, checkCosts),
      memberOverload('resourcecheck_check', [RESOURCE_CHECK_TYPE, STRING], DECISION, check, checkCosts),
    ),
    fn(
      'allowed',
      memberOverload('decision_allowed', [DECISION], BOOL, (value: DecisionValue) => value.decision.allowed),
    ),
    fn(
      'reason',
      memberOverload('decision_reason', [DECISION], STRING, (value: DecisionValue) => value.decision.reason),
    ),
    fn(
      'errored',
      memberOverload('decision_errored', [DECISION], BOOL, (value: DecisionValue) => value.decision.error !== undefined),
    ),
    fn(
      'error',
      memberOverload('decision_error', [DECISION], STRING, (value: DecisionValue) => value.decision.error ?? ''),
    ),
  ],
}
