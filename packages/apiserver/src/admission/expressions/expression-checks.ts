import { deepEqual, type FieldError, indexPath, type KubeObject } from '@weft/api'
import { PolicyScope } from '@weft/cel'
import type { BuiltinKind } from '../../kinds/index.ts'
import { checkPolicyExpressions } from '../policies/compile-policy.ts'
import { checkMutationExpressions } from '../policies/compile-mutating-policy.ts'
import { checkConditions, type MatchCondition } from './match-conditions.ts'

interface Configuration extends KubeObject {
  readonly webhooks?: readonly { readonly matchConditions?: readonly MatchCondition[] }[]
}

type Check = (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[]

const CHECKS: Readonly<Record<string, Check>> = {
  mutatingwebhookconfigurations: checkWebhookConditions,
  validatingwebhookconfigurations: checkWebhookConditions,
  validatingadmissionpolicies: checkPolicyExpressions,
  mutatingadmissionpolicies: checkMutationExpressions,
}

/**
 * Expressions of webhook configurations and policies must compile when they are written; later there would be nobody
 * to tell. Whoever writes one is told of them together with all else that is wrong; compiling is kept out of the table
 * of kinds, which knows no CEL.
 */
export function withExpressionChecks(kind: BuiltinKind): BuiltinKind {
  const check = kind.group === 'admissionregistration.k8s.io' ? CHECKS[kind.plural] : undefined
  if (check === undefined) return kind
  const { strategy } = kind
  return {
    ...kind,
    strategy: {
      ...strategy,
      validate: (object) => [...strategy.validate(object), ...check(object, undefined)],
      validateUpdate: (next, old) => [...strategy.validateUpdate(next, old), ...check(next, old)],
    },
  }
}

/** Conditions that did not change are not checked again: a newer server must not lock in what an older one accepted. */
function checkWebhookConditions({ webhooks = [] }: Configuration, old: Configuration | undefined): FieldError[] {
  const conditions = (all: Configuration['webhooks']): unknown => (all ?? []).map(({ matchConditions = [] }) => matchConditions)
  if (old !== undefined && deepEqual(conditions(webhooks), conditions(old.webhooks))) return []
  return webhooks.flatMap(({ matchConditions = [] }, index) =>
    checkConditions(
      matchConditions,
      `${indexPath('webhooks', index)}.matchConditions`,
      new PolicyScope({ authorizer: true, variables: false }),
    ),
  )
}
