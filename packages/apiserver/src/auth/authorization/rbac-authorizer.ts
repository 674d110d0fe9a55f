import { isMaster, type UserInfo } from '../user.ts'
import type { Attributes, Authorizer, Decision } from './attributes.ts'
import type { RoleSource } from './rbac-objects.ts'
import { createRuleResolver, type HeldRules, type RuleResolver } from './rule-resolver.ts'
import { matchesGroup, matchesPath, matchesResource, matchesVerb } from './rules.ts'

const ALLOWED_MASTER: Decision = { allowed: true, reason: '' }
const VERDICT_LIMIT = 10_000
const IDENTITY_LIMIT = 10_000

/**
 * Decides requests from RBAC objects. `system:masters` may do anything, whatever the objects say: it is the way back in.
 * Decisions are remembered per user until the source's generation changes, so an ordinary request costs two map look-ups.
 */
export interface RbacAuthorizer extends Authorizer, RuleResolver {}

export function createRbacAuthorizer(source: RoleSource): RbacAuthorizer {
  const resolver = createRuleResolver(source)
  let generation = source.generation
  // Same user object, same memory: authenticators hand out one object per credential. Distinct objects for one user
  // (several tokens) share through the identity.
  let byUser = new WeakMap<UserInfo, Verdicts>()
  let byIdentity = new Map<string, Verdicts>()

  function verdictsOf(user: UserInfo): Verdicts {
    const identity = JSON.stringify([user.username, user.groups])
    let verdicts = byIdentity.get(identity)
    if (verdicts === undefined) {
      if (byIdentity.size >= IDENTITY_LIMIT) byIdentity.clear()
      verdicts = { master: isMaster(user), rules: new Map(), known: new Map() }
      byIdentity.set(identity, verdicts)
    }
    byUser.set(user, verdicts)
    return verdicts
  }

  return {
    ...resolver,
    authorize(attributes) {
      if (source.generation !== generation) {
        generation = source.generation
        byUser = new WeakMap()
        byIdentity = new Map()
      }
      const verdicts = byUser.get(attributes.user) ?? verdictsOf(attributes.user)
      if (verdicts.master) return ALLOWED_MASTER
      const key = keyOf(attributes)
      let verdict = verdicts.known.get(key)
      if (verdict === undefined) {
        // Keys hold namespaces and paths that clients choose: bounded by forgetting.
        if (verdicts.known.size >= VERDICT_LIMIT) {
          verdicts.known.clear()
          verdicts.rules.clear()
        }
        const { user, namespace } = attributes
        const cluster = heldRules(verdicts, resolver, user, '')
        verdict = decide(attributes, namespace === '' ? [cluster] : [cluster, heldRules(verdicts, resolver, user, namespace)])
        verdicts.known.set(key, verdict)
      }
      return verdict.byName?.get(attributes.name) ?? verdict.otherwise
    },
  }
}

interface Verdicts {
  readonly master: boolean
  /** By namespace; those of the cluster, which are the most, under the empty one. */
  readonly rules: Map<string, HeldRules>
  readonly known: Map<string, Verdict>
}

/** A decision for any object name: names that rules mention, and all others. So names never enter the key. */
interface Verdict {
  readonly otherwise: Decision
  readonly byName?: ReadonlyMap<string, Decision>
}

/**
 * Injective, thanks to the lengths: the fields of a SubjectAccessReview are any text, and two questions that shared a
 * key would let one poison the answer to the other.
 */
function keyOf({ resourceRequest, verb, apiGroup, resource, subresource, namespace, path }: Attributes): string {
  if (!resourceRequest) return `n${verb.length} ${verb}${path}`
  return `r${verb.length} ${apiGroup.length} ${resource.length} ${subresource.length} ${verb}${apiGroup}${resource}${subresource}${namespace}`
}

function heldRules(verdicts: Verdicts, resolver: RuleResolver, user: UserInfo, namespace: string): HeldRules {
  let held = verdicts.rules.get(namespace)
  if (held === undefined) {
    held = resolver.rulesWithin(user, namespace)
    verdicts.rules.set(namespace, held)
  }
  return held
}

function decide(attributes: Attributes, scopes: readonly HeldRules[]): Verdict {
  const { verb, apiGroup, resource, subresource, resourceRequest, path } = attributes
  const combined = subresource === '' ? resource : `${resource}/${subresource}`
  let byName: Map<string, Decision> | undefined
  for (const { rules } of scopes) {
    for (const { rule, reason } of rules) {
      if (!matchesVerb(rule, verb)) continue
      if (!resourceRequest) {
        if (matchesPath(rule, path)) return { otherwise: { allowed: true, reason: reason() } }
        continue
      }
      if (!matchesGroup(rule, apiGroup) || !matchesResource(rule, combined, subresource)) continue
      const names = rule.resourceNames ?? []
      if (names.length === 0) return { otherwise: { allowed: true, reason: reason() }, ...(byName && { byName }) }
      byName ??= new Map()
      for (const name of names) if (!byName.has(name)) byName.set(name, { allowed: true, reason: reason() })
    }
  }
  const errors = scopes.flatMap((scope) => scope.errors)
  const otherwise = { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregate(errors)}` }
  return byName === undefined ? { otherwise } : { otherwise, byName }
}

function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)]
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(', ')}]`
}
