import { addErrors, deepEqual, type FieldError, indexPath, type KubeObject } from '@weft/api'
import { PolicyScope } from '@weft/cel'
import { type Expression, expressionOf, fieldErrors } from '../expressions/compile-expression.ts'
import { checkConditions, MatchConditions } from '../expressions/match-conditions.ts'
import { MatchCriteria } from '../matching/criteria.ts'
import type { BindingSpec, ParamKind, ParamRef, Policy, PolicyBinding, SharedSpec, Validation } from './policy-objects.ts'

/** What every kind of policy is matched by. */
export interface MatchedPolicy {
  readonly name: string
  readonly criteria: MatchCriteria
  readonly ignoresFailure: boolean
  readonly paramKind: ParamKind | undefined
  readonly scope: PolicyScope
  readonly conditions: MatchConditions | undefined
}

/** A validating policy, ready to be matched and evaluated. */
export interface CompiledPolicy extends MatchedPolicy {
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
  const { validations = [], auditAnnotations = [] } = spec
  const matched = compileMatch(metadata.name ?? '', spec)
  const { scope } = matched
  return {
    ...matched,
    validations: validations.map((validation) => compileValidation(validation, scope)),
    auditAnnotations: auditAnnotations.map(({ key, valueExpression }) => ({ key, value: compileAnnotation(valueExpression, scope) })),
  }
}

export function compileMatch(name: string, spec: SharedSpec): MatchedPolicy {
  const { variables = [], matchConditions = [] } = spec
  const ignoresFailure = spec.failurePolicy === 'Ignore'
  const scope = new PolicyScope({ authorizer: true, params: spec.paramKind !== undefined })
  for (const { name, expression } of variables) scope.declare(name, expression)
  return {
    name,
    criteria: new MatchCriteria(spec.matchConstraints ?? {}),
    ignoresFailure,
    paramKind: spec.paramKind,
    scope,
    conditions: matchConditions.length === 0 ? undefined : new MatchConditions(matchConditions, scope, ignoresFailure),
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

/** Every expression of a policy about to be stored that does not compile or has the wrong type. One that is missing is told of elsewhere. */
export function checkPolicyExpressions(policy: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { spec = {} } = policy as Policy
  const hasParams = spec.paramKind !== undefined
  const variables = (spec.variables ?? []).length > 0
  const { errors, scope } = checkSharedExpressions(spec, (old as Policy | undefined)?.spec, variables)
  spec.validations?.forEach(({ expression, messageExpression }, index) => {
    const path = indexPath('spec.validations', index)
    if (isGiven(expression))
      addErrors(errors, fieldErrors(expressionOf(expression, scope.compile(expression), 'bool'), `${path}.expression`))
    if (isGiven(messageExpression))
      addErrors(errors, fieldErrors(messageCheck(messageExpression, scope, { params: hasParams, variables }), `${path}.messageExpression`))
  })
  spec.auditAnnotations?.forEach(({ valueExpression }, index) => {
    if (!isGiven(valueExpression)) return
    addErrors(
      errors,
      fieldErrors(compileAnnotation(valueExpression, scope), `${indexPath('spec.auditAnnotations', index)}.valueExpression`),
    )
  })
  return errors
}

/** Conditions and variables; the rest is to be checked in the scope that comes with the answer. `variables`: it has them even if there are none. */
export function checkSharedExpressions(
  spec: SharedSpec,
  old: SharedSpec | undefined,
  variables: boolean,
): { errors: FieldError[]; scope: PolicyScope } {
  const options = { authorizer: true, params: spec.paramKind !== undefined }
  const errors: FieldError[] = []
  if (!sameConditions(spec, old))
    addErrors(
      errors,
      checkConditions(spec.matchConditions ?? [], 'spec.matchConditions', new PolicyScope({ ...options, variables: false })),
    )
  const scope = new PolicyScope({ ...options, variables })
  spec.variables?.forEach(({ name, expression }, index) => {
    if (!isGiven(expression)) return
    const declared = scope.declare(name, expression)
    // One mistake is told once: what uses the variable is checked as if it could be anything.
    if (declared.program === undefined) scope.declare(name, 'dyn(null)')
    addErrors(errors, fieldErrors(expressionOf(expression, declared, 'any'), `${indexPath('spec.variables', index)}.expression`))
  })
  return { errors, scope }
}

export const isGiven = (expression: string | undefined): expression is string => expression !== undefined && expression.trim() !== ''

/** Messages may not ask the authorizer, though the variables that they use may. */
function messageCheck(source: string, scope: PolicyScope, options: { readonly params: boolean; readonly variables: boolean }): Expression {
  const compiled = scope.compile(source)
  const asks = compiled.program?.variables.some((name) => name === 'authorizer' || name.startsWith('authorizer.')) === true
  return expressionOf(source, asks ? new PolicyScope(options).compile(source) : compiled, 'string')
}

/** Conditions that did not change are not checked again: a newer server must not lock in what an older one accepted. */
const sameConditions = (spec: SharedSpec, old: SharedSpec | undefined): boolean =>
  old !== undefined && deepEqual(spec.matchConditions ?? [], old.matchConditions ?? []) && deepEqual(spec.paramKind, old.paramKind)
