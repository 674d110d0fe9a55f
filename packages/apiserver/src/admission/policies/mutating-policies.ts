import { deepEqual, jsonSize, type KubeObject } from '@weft/api'
import { OBJECT_BUDGET, type PolicyInput } from '@weft/cel'
import { type ResourceType, scaleMapping, withScale } from '../../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest, MutationRound } from '../admission.ts'
import { CompiledList } from '../compiled-list.ts'
import { BudgetedEvaluation, OutOfBudget } from '../expressions/evaluate.ts'
import { isAdmissionConfiguration } from '../matching/rules.ts'
import { presented } from '../matching/presented.ts'
import { convertObject, type Versioned, versionedIn } from '../matching/versioned-objects.ts'
import { Reinvocation } from '../reinvocation.ts'
import { withKeptOwners } from '../webhooks/kept-owners.ts'
import { type CompiledMutatingPolicy, compileMutatingPolicy } from './compile-mutating-policy.ts'
import { type CompiledBinding, compileBinding } from './compile-policy.ts'
import { mutationDenied, type MutationProblem } from './denial.ts'
import { MAX_OBJECT_SIZE, mutateObject, MutationFailed } from './mutate-object.ts'
import { boundParams, conditionInput, configured, matchedType, type PolicyParts, requestInput } from './policy-input.ts'

const NAME = 'MutatingAdmissionPolicy'
const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }

/** Applies MutatingAdmissionPolicies through their bindings, before any webhook is asked. A policy without a binding does nothing. */
export function mutatingPolicies(parts: PolicyParts): AdmissionPlugin {
  const { catalog } = parts
  const policies = new CompiledList(catalog, { ...GROUP, plural: 'mutatingadmissionpolicies' }, ({ object }) => [
    compileMutatingPolicy(object),
  ])
  const bindings = new CompiledList(catalog, { ...GROUP, plural: 'mutatingadmissionpolicybindings' }, ({ object }) => [
    compileBinding(object),
  ])
  return {
    name: NAME,
    mutate(request, round) {
      const bound = bindings.get()
      if (bound.length === 0 || request.operation === 'DELETE' || isAdmissionConfiguration(request.type) || !parts.enabled())
        return request.object
      const concerned = policies.get().filter((policy) => policy.criteria.resource(request, parts.world) !== undefined)
      return concerned.length === 0 ? request.object : new Mutations(parts, request, round).run(concerned, bound)
    },
  }
}

/** A policy as one binding applies it with one object of parameters. */
interface Invocation {
  readonly policy: CompiledMutatingPolicy
  readonly binding: CompiledBinding
  readonly type: ResourceType
  readonly params: KubeObject | undefined
}

/** One request under all policies. Which apply is settled before the first changes anything; then each sees what those before it made. */
class Mutations {
  readonly #parts: PolicyParts
  readonly #request: AdmissionRequest
  readonly #shown: AdmissionRequest
  readonly #round: MutationRound
  readonly #reinvocation: Reinvocation
  readonly #problems: MutationProblem[] = []
  #current: Versioned
  #applied = false

  constructor(parts: PolicyParts, request: AdmissionRequest, round: MutationRound) {
    this.#parts = parts
    this.#request = request
    this.#round = round
    this.#shown = presented(request)
    this.#current = this.#shown
    this.#reinvocation = Reinvocation.in(round, NAME)
  }

  async run(policies: readonly CompiledMutatingPolicy[], bindings: readonly CompiledBinding[]): Promise<KubeObject | undefined> {
    if (this.#round.again) this.#reinvocation.observe(this.#request.object)
    const invocations: Invocation[] = []
    for (const policy of policies) {
      const own = bindings.filter(({ policyName }) => policyName === policy.name)
      if (own.length > 0) invocations.push(...(await this.#invocations(policy, own)))
    }
    for (const invocation of invocations) await this.#invoke(invocation)
    // A change of its own counts, too: a policy with IfNeeded that was applied is applied again, as kube-apiserver does.
    if (this.#applied) {
      this.#reinvocation.changed()
      this.#round.repeat()
    }
    if (this.#problems.length > 0) throw mutationDenied(this.#request, this.#problems)
    const result = await this.#result()
    this.#reinvocation.remember(result)
    return result
  }

  async #invocations(policy: CompiledMutatingPolicy, bindings: readonly CompiledBinding[]): Promise<readonly Invocation[]> {
    const type = await this.#configured(policy, undefined, () => matchedType(policy, this.#shown, this.#parts))
    if (type === undefined) return []
    const invocations: Invocation[] = []
    for (const binding of bindings) {
      const found = await this.#configured(policy, binding, () => boundParams(policy, binding, this.#shown, this.#parts))
      for (const params of found ?? []) invocations.push({ policy, binding, type, params })
    }
    return invocations
  }

  async #invoke({ policy, binding, type, params }: Invocation): Promise<void> {
    const before = await versionedIn(this.#current, this.#request, type)
    if (before.object === undefined) return
    this.#current = before
    const input: PolicyInput = { ...requestInput(this.#shown, type, this.#parts), params }
    const met = policy.conditions?.evaluate(policy.scope.evaluation(conditionInput({ ...input, ...objectsOf(before) })))
    if (met?.error !== undefined) this.#problem(policy, binding, met.error, 'Invalid')
    if (met !== undefined && met.matches !== true) return
    const id = [policy.name, binding.name, params?.metadata.namespace ?? '', params?.metadata.name ?? ''].join('/')
    if (this.#round.again && !this.#reinvocation.wants(id)) return
    this.#mutate(policy, binding, input)
    if (this.#current !== before) {
      this.#reinvocation.changed()
      this.#round.repeat()
    }
    if (policy.reinvocable) this.#reinvocation.invoked(id)
  }

  /** All changes of one policy share one budget, and handling the object counts: a long list of small ones is not free either. */
  #mutate(policy: CompiledMutatingPolicy, binding: CompiledBinding, input: PolicyInput): void {
    const { subresource } = this.#request
    let budget = OBJECT_BUDGET
    for (const { kind, expression } of policy.mutations) {
      const { type, object } = this.#current
      if (object === undefined) return
      const evaluation = new BudgetedEvaluation(policy.scope.evaluation({ ...input, ...objectsOf(this.#current) }), budget)
      try {
        evaluation.spend(Math.ceil(jsonSize(object, MAX_OBJECT_SIZE) * HANDLING_COST))
        const { value, error } = evaluation.run(expression)
        if (error !== undefined) throw new MutationFailed(error)
        const changed = mutateObject({ type, subresource, object }, kind, value)
        this.#applied = true
        if (changed !== object) this.#current = { ...this.#current, object: changed }
      } catch (error) {
        if (!(error instanceof MutationFailed || error instanceof OutOfBudget)) throw error
        this.#problem(policy, binding, error.message, 'Invalid')
        if (error instanceof OutOfBudget) return
      }
      budget = evaluation.remaining
    }
  }

  /** What came out, in the version of the request. A conversion there and back is no change. */
  async #result(): Promise<KubeObject | undefined> {
    const { type, object } = this.#current
    const { object: given } = this.#request
    if (object === undefined || given === undefined || object === this.#shown.object) return given
    const mapping = scaleMapping(this.#request.type, this.#request.subresource)
    if (mapping !== undefined) return withScale(given, object, mapping)
    const converted = await convertObject(object, type, this.#request.type)
    return deepEqual(converted, given) ? given : withKeptOwners(this.#request, converted)
  }

  #configured<T>(policy: CompiledMutatingPolicy, binding: CompiledBinding | undefined, run: () => T | Promise<T>): Promise<T | undefined> {
    return configured(binding, run, (message) => this.#problem(policy, binding, message, 'Forbidden'))
  }

  /** With failurePolicy Ignore a policy that fails changes nothing, and nobody is refused. */
  #problem(policy: CompiledMutatingPolicy, binding: CompiledBinding | undefined, message: string, reason: MutationProblem['reason']): void {
    if (!policy.ignoresFailure) this.#problems.push({ policy: policy.name, binding: binding?.name, message, reason })
  }
}

/** What reading and writing one character of an object costs; CEL charges the same for reading one of a text. */
const HANDLING_COST = 0.1

const objectsOf = ({ object, oldObject }: Versioned): Pick<PolicyInput, 'object' | 'oldObject'> => ({ object, oldObject })
