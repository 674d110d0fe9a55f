import { addErrors, type FieldError, indexPath, type KubeObject } from '@weft/api'
import type { PolicyScope } from '@weft/cel'
import { type Expression, expressionOf, fieldErrors } from '../expressions/compile-expression.ts'
import { checkSharedExpressions, compileMatch, type MatchedPolicy } from './compile-policy.ts'
import type { MutatingPolicy, Mutation } from './policy-objects.ts'

/** A mutating policy, ready to be matched and evaluated. */
export interface CompiledMutatingPolicy extends MatchedPolicy {
  readonly mutations: readonly CompiledMutation[]
  /** Applied again when something changed the object after it. */
  readonly reinvocable: boolean
}

export interface CompiledMutation {
  /** How the result of the expression is put into the object. */
  readonly kind: 'configuration' | 'operations'
  readonly expression: Expression
}

export function compileMutatingPolicy({ metadata, spec = {} }: MutatingPolicy): CompiledMutatingPolicy {
  const matched = compileMatch(metadata.name ?? '', spec)
  return {
    ...matched,
    mutations: (spec.mutations ?? []).map((mutation) => compileMutation(mutation, matched.scope)),
    reinvocable: spec.reinvocationPolicy === 'IfNeeded',
  }
}

function compileMutation({ patchType, jsonPatch, applyConfiguration }: Mutation, scope: PolicyScope): CompiledMutation {
  const kind = patchType === 'JSONPatch' ? 'operations' : 'configuration'
  const source = (kind === 'operations' ? jsonPatch : applyConfiguration)?.expression ?? ''
  return { kind, expression: expressionOf(source, scope.compileMutation(source), kind) }
}

const PATCH_TYPES: ReadonlySet<unknown> = new Set(['JSONPatch', 'ApplyConfiguration'])

/** Every expression of a policy about to be stored that does not compile or has the wrong type. One that is missing is told of elsewhere. */
export function checkMutationExpressions(policy: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { spec = {} } = policy as MutatingPolicy
  const { errors, scope } = checkSharedExpressions(spec, (old as MutatingPolicy | undefined)?.spec, true)
  spec.mutations?.forEach((mutation, index) => {
    if (!PATCH_TYPES.has(mutation.patchType)) return
    const field = mutation.patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration'
    const source = (mutation[field]?.expression ?? '').trim()
    if (source === '') return
    const { expression } = compileMutation({ patchType: mutation.patchType, [field]: { expression: source } }, scope)
    addErrors(errors, fieldErrors(expression, `${indexPath('spec.mutations', index)}.${field}.expression`))
  })
  return errors
}
