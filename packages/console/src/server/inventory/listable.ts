import { isJsonObject } from '@weft/api'
import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { reviewAll, type Wish } from '../endpoints/access.ts'
import { ask, memberOf } from '../proxy/ask.ts'
import { credentialsRefused } from '../proxy/proxy.ts'
import type { ConsoleSession } from '../session/sessions.ts'

const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
/** No namespace can be called that, so what somebody may do there is what they may do everywhere. */
const NOWHERE = '-'

type NamedKind = Pick<KindInfo, 'group' | 'kind' | 'plural' | 'namespaced'>

/**
 * Which of these kinds the user may list, in the namespace or, where that is empty, in all of them; see kindKey. Asked as the user whenever something is shown that
 * was read with other rights: who has just lost a right must not see more of it.
 */
export async function listableKinds(session: ConsoleSession, namespace: string, kinds: readonly NamedKind[]): Promise<ReadonlySet<string>> {
  const [mayListAll] = await reviewAll(session, [wish('*', '*')])
  if (mayListAll === true) return new Set(kinds.map(kindKey))
  const everywhere = await rulesIn(session, NOWHERE)
  const here = namespace === '' ? everywhere : await rulesIn(session, namespace)
  if (everywhere === undefined || here === undefined) return eachAsked(session, namespace, kinds)
  const allowed = (kind: NamedKind): boolean => (kind.namespaced ? here : everywhere).some((rule) => allows(rule, kind))
  return new Set(kinds.filter(allowed).map(kindKey))
}

const wish = (group: string, resource: string, namespace = ''): Wish => ({
  verb: 'list',
  group,
  resource,
  ...(namespace !== '' && { namespace }),
})

async function eachAsked(session: ConsoleSession, namespace: string, kinds: readonly NamedKind[]): Promise<ReadonlySet<string>> {
  const allowed = await reviewAll(
    session,
    kinds.map(({ group, plural, namespaced }) => wish(group, plural, namespaced ? namespace : '')),
  )
  return new Set(kinds.filter((_, i) => allowed[i] === true).map(kindKey))
}

interface Rule {
  readonly verbs: readonly unknown[]
  readonly apiGroups: readonly unknown[]
  readonly resources: readonly unknown[]
  readonly isOfNames: boolean
}

/** Undefined where the server cannot tell all of them. */
async function rulesIn({ identity }: ConsoleSession, namespace: string): Promise<readonly Rule[] | undefined> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } }
  const answer = await ask(identity.forwarder, 'POST', RULES, review)
  if (answer.status === 401) throw credentialsRefused()
  const rules = memberOf(answer, 'status', 'resourceRules')
  if (!Array.isArray(rules) || memberOf(answer, 'status', 'incomplete') !== false) return undefined
  return rules.filter(isJsonObject).map(({ verbs, apiGroups, resources, resourceNames }) => ({
    verbs: list(verbs),
    apiGroups: list(apiGroups),
    resources: list(resources),
    isOfNames: list(resourceNames).length > 0,
  }))
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A list has no name: rules for certain names allow none. */
const allows = ({ verbs, apiGroups, resources, isOfNames }: Rule, { group, plural }: NamedKind): boolean =>
  !isOfNames && has(verbs, 'list') && has(apiGroups, group) && has(resources, plural)

const has = (allowed: readonly unknown[], wanted: string): boolean => allowed.includes('*') || allowed.includes(wanted)
