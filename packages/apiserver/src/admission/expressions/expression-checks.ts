import { deepEqual, type FieldError, indexPath, invalid, type KubeObject } from '@weft/api'
import { PolicyScope } from '@weft/cel'
import type { AdmissionPlugin } from '../admission.ts'
import { checkPolicyExpressions } from '../policies/compile-policy.ts'
import { checkMutationExpressions } from '../policies/compile-mutating-policy.ts'
import { checkConditions, type MatchCondition } from './match-conditions.ts'

interface Configuration extends KubeObject {
  readonly webhooks?: readonly { readonly matchConditions?: readonly MatchCondition[] }[]
}

/**
 * Expressions of webhook configurations and policies must compile when they are written; later there would be nobody
 * to tell. Their strategies check the rest; compiling is kept out of the table of kinds, which knows no CEL.
 */
export function expressionChecks(): AdmissionPlugin {
  return {
    name: 'ExpressionChecks',
    validate({ type, operation, subresource, object, oldObject }) {
      if (type.group !== 'admissionregistration.k8s.io' || object === undefined || subresource !== '' || operation === 'DELETE') return
      const errors = errorsOf(type.plural, object, oldObject)
      if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind, name: object.metadata.name ?? '' }, errors)
    },
  }
}

function errorsOf(plural: string, object: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  switch (plural) {
    case 'mutatingwebhookconfigurations':
    case 'validatingwebhookconfigurations':
      return checkWebhookConditions(object, old)
    case 'validatingadmissionpolicies':
      return checkPolicyExpressions(object, old)
    case 'mutatingadmissionpolicies':
      return checkMutationExpressions(object, old)
    default:
      return []
  }
}

/** Conditions that did not change are not checked again: a newer server must not lock in what an older one accepted. */
function checkWebhookConditions({ webhooks = [] }: Configuration, old: Configuration | undefined): FieldError[] {
  const conditions = (all: Configuration['webhooks']): unknown => (all ?? []).map(({ matchConditions = [] }) => matchConditions)
  if (old !== undefined && deepEqual(conditions(webhooks), conditions(old.webhooks))) return []
  return webhooks.flatMap(({ matchConditions = [] }, index) =>
    checkConditions(matchConditions, `${indexPath('webhooks', index)}.matchConditions`, new PolicyScope({ authorizer: true })),
  )
}
