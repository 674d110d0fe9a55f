import { addErrors, deepEqual, type FieldError, indexPath, type KubeObject } from '@weft/api'
import { PolicyScope } from '@weft/cel'
import { type Expression, expressionOf, fieldErrors } from '../expressions/compile-expression.ts'
import { checkConditions, MatchConditions } from '../expressions/match-conditions.ts'
import { MatchCriteria } from '../matching/criteria.ts'
import type { BindingSpec, ParamKind, ParamRef, Policy, PolicyBinding, PolicySpec, Validation } from './policy-objects.ts'

/** A policy, ready to be matched and evaluated. */
export interface CompiledPolicy {
  readonly name: string
  readonly criteria: MatchCriteria
  readonly ignoresFailure: boolean
  readonly paramKind: ParamKind | undefined
  readonly scope: PolicyScope
  readonly conditions: MatchConditions | undefined
  readonly validations: readonly CompiledValidation[]
  readonly auditAnnotations: readonly { readonly key: string; readonly value: Expression }[]
}

export interface CompiledValidation {
  readonly expression: Expression
  readonly message: string
  readonly messageExpression: Expression | undefined
  readonly reason: string
}

export function compilePolicy({ metadata, spec = {} }: Policy): CompiledPolicy {
  const { variables = [], validations = [], auditAnnotations = [], matchConditions = [] } = spec
  const ignoresFailure = spec.failurePolicy === 'Ignore'
  const scope = new PolicyScope({ authorizer: true, params: spec.paramKind !== undefined })
  for (const { name, expression } of variables) scope.declare(name, expression)
  return {
    name: metadata.name ?? '',
    criteria: new MatchCriteria(spec.matchConstraints ?? {}),
    ignoresFailure,
    paramKind: spec.paramKind,
    scope,
    conditions: matchConditions.length === 0 ? undefined : new MatchConditions(matchConditions, scope, ignoresFailure),
    validations: validations.map((validation) => compileValidation(validation, scope)),
    auditAnnotations: auditAnnotations.map(({ key, valueExpression }) => ({ key, value: compileAnnotation(valueExpression, scope) })),
  }
}

function compileValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  scope: PolicyScope,
): CompiledValidation {
  return {
    expression: expressionOf(expression, scope.compile(expression), 'bool'),
    message: message.trim(),
    messageExpression: messageExpression === '' ? undefined : expressionOf(messageExpression, scope.compile(messageExpression), 'string'),
    reason: reason ?? 'Invalid',
  }
}

const compileAnnotation = (source: string, scope: PolicyScope): Expression => expressionOf(source, scope.compile(source), 'string or null')

/** A binding puts its policy into force. */
export interface CompiledBinding {
  readonly name: string
  readonly policyName: string
  /** Absent: wherever the policy matches. */
  readonly criteria: MatchCriteria | undefined
  readonly paramRef: ParamRef | undefined
  readonly actions: readonly string[]
}

export function compileBinding({ metadata, spec }: PolicyBinding): CompiledBinding {
  const { policyName = '', matchResources, paramRef, validationActions = [] }: Partial<BindingSpec> = spec ?? {}
  return {
    name: metadata.name ?? '',
    policyName,
    criteria: matchResources === undefined ? undefined : new MatchCriteria(matchResources, { rulesOptional: true }),
    paramRef,
    actions: validationActions,
  }
}

/** Every expression of a policy about to be stored that does not compile or has the wrong type. */
export function checkPolicyExpressions(policy: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { spec = {} } = policy as Policy
  const hasParams = spec.paramKind !== undefined
  const errors: FieldError[] = []
  if (!sameConditions(spec, (old as Policy | undefined)?.spec))
    addErrors(
      errors,
      checkConditions(spec.matchConditions ?? [], 'spec.matchConditions', new PolicyScope({ authorizer: true, params: hasParams })),
    )
  const scope = new PolicyScope({ authorizer: true, params: hasParams })
  spec.variables?.forEach(({ name, expression }, index) => {
    const declared = scope.declare(name, expression)
    // One mistake is told once: what uses the variable is checked as if it could be anything.
    if (declared.program === undefined) scope.declare(name, 'dyn(null)')
    addErrors(errors, fieldErrors(expressionOf(expression, declared, 'any'), `${indexPath('spec.variables', index)}.expression`))
  })
  spec.validations?.forEach(({ expression, messageExpression }, index) => {
    const path = indexPath('spec.validations', index)
    addErrors(errors, fieldErrors(expressionOf(expression, scope.compile(expression), 'bool'), `${path}.expression`))
    if (messageExpression) addErrors(errors, fieldErrors(messageCheck(messageExpression, scope, hasParams), `${path}.messageExpression`))
  })
  spec.auditAnnotations?.forEach(({ valueExpression }, index) => {
    addErrors(
      errors,
      fieldErrors(compileAnnotation(valueExpression, scope), `${indexPath('spec.auditAnnotations', index)}.valueExpression`),
    )
  })
  return errors
}

/** Messages may not ask the authorizer, though the variables that they use may. */
function messageCheck(source: string, scope: PolicyScope, params: boolean): Expression {
  const compiled = scope.compile(source)
  const asks = compiled.program?.variables.some((name) => name === 'authorizer' || name.startsWith('authorizer.')) === true
  return expressionOf(source, asks ? new PolicyScope({ params }).compile(source) : compiled, 'string')
}

/** Conditions that did not change are not checked again: a newer server must not lock in what an older one accepted. */
const sameConditions = (spec: PolicySpec, old: PolicySpec | undefined): boolean =>
  old !== undefined && deepEqual(spec.matchConditions ?? [], old.matchConditions ?? []) && deepEqual(spec.paramKind, old.paramKind)
