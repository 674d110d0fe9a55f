import type { PolicyInput } from '@weft/cel'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts'
import { CompiledList } from '../compiled-list.ts'
import { isAdmissionConfiguration } from '../matching/rules.ts'
import { presented } from '../matching/presented.ts'
import { VersionedObjects } from '../matching/versioned-objects.ts'
import { annotate, warn } from '../warn.ts'
import { type CompiledBinding, type CompiledPolicy, compileBinding, compilePolicy } from './compile-policy.ts'
import { type Denial, denied } from './denial.ts'
import { evaluatePolicy, type Verdict } from './evaluate-policy.ts'
import { boundParams, configured, matchedType, type PolicyParts, requestInput } from './policy-input.ts'

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }

/** Enforces ValidatingAdmissionPolicies through their bindings. A policy without a binding does nothing. */
export function validatingPolicies(parts: PolicyParts): AdmissionPlugin {
  const { catalog } = parts
  const policies = new CompiledList(catalog, { ...GROUP, plural: 'validatingadmissionpolicies' }, ({ object }) => [compilePolicy(object)])
  const bindings = new CompiledList(catalog, { ...GROUP, plural: 'validatingadmissionpolicybindings' }, ({ object }) => [
    compileBinding(object),
  ])
  return {
    name: 'ValidatingAdmissionPolicy',
    validate(request) {
      const bound = bindings.get()
      if (bound.length === 0 || isAdmissionConfiguration(request.type) || !parts.enabled()) return undefined
      const concerned = policies.get().filter((policy) => policy.criteria.resource(request, parts.world) !== undefined)
      return concerned.length === 0 ? undefined : enforce(new Enforcement(parts, presented(request)), concerned, bound)
    },
  }
}

async function enforce(enforcement: Enforcement, policies: readonly CompiledPolicy[], bindings: readonly CompiledBinding[]): Promise<void> {
  for (const policy of policies) {
    const own = bindings.filter(({ policyName }) => policyName === policy.name)
    if (own.length > 0) await enforcement.policy(policy, own)
  }
  enforcement.conclude()
}

/** One request under all policies. Every policy is heard, so that warnings and audit are complete; the first denial is told. */
class Enforcement {
  readonly #parts: PolicyParts
  readonly #request: AdmissionRequest
  readonly #versions: VersionedObjects
  readonly #denials: Denial[] = []

  constructor(parts: PolicyParts, request: AdmissionRequest) {
    this.#parts = parts
    this.#request = request
    this.#versions = new VersionedObjects(request)
  }

  async policy(policy: CompiledPolicy, bindings: readonly CompiledBinding[]): Promise<void> {
    const type = await this.#configured(policy, undefined, () => matchedType(policy, this.#request, this.#parts))
    if (type === undefined) return
    const annotations = new Map<string, Set<string>>()
    for (const binding of bindings) {
      const verdicts = await this.#configured(policy, binding, () => this.#verdicts(policy, binding, type))
      for (const verdict of verdicts ?? []) this.#apply(policy, binding, verdict, annotations)
    }
    for (const [key, values] of annotations) annotate(this.#request, `${policy.name}/${key}`, [...values].join(', '))
  }

  /** Throws the first denial, if there is one. */
  conclude(): void {
    const [first] = this.#denials
    if (first !== undefined) throw denied(this.#request, first)
  }

  async #verdicts(policy: CompiledPolicy, binding: CompiledBinding, type: ResourceType): Promise<readonly Verdict[]> {
    const params = await boundParams(policy, binding, this.#request, this.#parts)
    if (params.length === 0) return []
    const { object, oldObject } = await this.#versions.in(type)
    const input: PolicyInput = { ...requestInput(this.#request, type, this.#parts), object, oldObject }
    return params.map((each) => evaluatePolicy(policy, { ...input, params: each }))
  }

  /** With failurePolicy Ignore a policy or binding that is unusable does not apply. */
  #configured<T>(policy: CompiledPolicy, binding: CompiledBinding | undefined, run: () => T | Promise<T>): Promise<T | undefined> {
    return configured(binding, run, (message) => {
      if (!policy.ignoresFailure) this.#denials.push({ policy: policy.name, binding: binding?.name, message, reason: '' })
    })
  }

  #apply(policy: CompiledPolicy, binding: CompiledBinding, verdict: Verdict, annotations: Map<string, Set<string>>): void {
    for (const violation of verdict.violations) {
      const { message, reason, index } = violation
      if (binding.actions.includes('Deny')) this.#denials.push({ policy: policy.name, binding: binding.name, message, reason })
      if (binding.actions.includes('Warn'))
        warn(this.#request, `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`)
      if (binding.actions.includes('Audit'))
        annotate(
          this.#request,
          'validation.policy.admission.k8s.io/validation_failure',
          JSON.stringify([
            { message, policy: policy.name, binding: binding.name, expressionIndex: index, validationActions: binding.actions },
          ]),
        )
    }
    for (const message of verdict.failures) this.#denials.push({ policy: policy.name, binding: binding.name, message, reason: '' })
    for (const { key, value } of verdict.annotations) {
      const values = annotations.get(key) ?? new Set<string>()
      annotations.set(key, values.add(value))
    }
  }
}
