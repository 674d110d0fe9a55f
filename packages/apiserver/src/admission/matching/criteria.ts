import {
  internalError,
  type KubeObject,
  type LabelRequirement,
  type Labels,
  type LabelSelector,
  matchesLabels,
  notFound,
  requirementsOf,
  SelectorError,
} from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { matchesRule, type Rule } from './rules.ts'
import type { EquivalentTypes } from './equivalent-types.ts'

/** What a webhook, a policy or a binding says about the requests it wants to see. */
export interface MatchResources {
  readonly matchPolicy?: string
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly resourceRules?: readonly Rule[]
  readonly excludeResourceRules?: readonly Rule[]
}

export interface MatchWorld {
  readonly equivalents: EquivalentTypes
  /** The namespace object, as stored. */
  namespace(name: string): KubeObject | undefined
}

/** A selector that cannot be read is reported to whom it concerns, when it does. */
type Selector = readonly LabelRequirement[] | SelectorError

/** `MatchResources`, prepared once. The type it answers is the version of the resource that a rule names. */
export class MatchCriteria {
  readonly #rules: readonly Rule[]
  readonly #excluded: readonly Rule[]
  readonly #equivalent: boolean
  readonly #namespaces: Selector
  readonly #objects: Selector
  /** Bindings without rules go along with whatever their policy matches. */
  readonly #anyResource: boolean

  constructor(match: MatchResources, options: { readonly rulesOptional?: boolean } = {}) {
    this.#rules = match.resourceRules ?? []
    this.#excluded = match.excludeResourceRules ?? []
    this.#equivalent = match.matchPolicy !== 'Exact'
    this.#namespaces = selectorOf(match.namespaceSelector)
    this.#objects = selectorOf(match.objectSelector)
    this.#anyResource = options.rulesOptional === true && this.#rules.length === 0
  }

  /** By rules alone, which no change of the object can alter. */
  resource(request: AdmissionRequest, { equivalents }: MatchWorld): ResourceType | undefined {
    if (this.#excluded.length > 0 && this.#byRules(this.#excluded, request, equivalents) !== undefined) return undefined
    return this.#anyResource ? request.type : this.#byRules(this.#rules, request, equivalents)
  }

  /** By the labels of the namespace and of the object, old or new. Throws when the namespace is gone. */
  selects(request: AdmissionRequest, world: MatchWorld): boolean {
    return selectsObject(usable(this.#objects), request) && selectsNamespace(usable(this.#namespaces), request, world)
  }

  /** Both of the above. */
  matches(request: AdmissionRequest, world: MatchWorld): ResourceType | undefined {
    const type = this.resource(request, world)
    return type !== undefined && this.selects(request, world) ? type : undefined
  }

  #byRules(rules: readonly Rule[], request: AdmissionRequest, equivalents: EquivalentTypes): ResourceType | undefined {
    if (rules.some((rule) => matchesRule(rule, request))) return request.type
    if (!this.#equivalent) return undefined
    const others = equivalents.of(request.type, request.subresource)
    // Earlier rules are honoured first.
    for (const rule of others.length === 0 ? [] : rules) {
      const found = others.find((type) => matchesRule(rule, { ...request, type }))
      if (found !== undefined) return found
    }
    return undefined
  }
}

function selectorOf(selector: LabelSelector | undefined): Selector {
  try {
    return requirementsOf(selector)
  } catch (error) {
    if (error instanceof SelectorError) return error
    throw error
  }
}

function usable(selector: Selector): readonly LabelRequirement[] {
  if (selector instanceof SelectorError) throw internalError(selector)
  return selector
}

function selectsObject(requirements: readonly LabelRequirement[], { object, oldObject }: AdmissionRequest): boolean {
  if (requirements.length === 0) return true
  return [object, oldObject].some((each) => each !== undefined && matchesLabels(requirements, each.metadata.labels))
}

function selectsNamespace(requirements: readonly LabelRequirement[], request: AdmissionRequest, world: MatchWorld): boolean {
  if (requirements.length === 0) return true
  // Cluster-wide objects are never exempted, except namespaces, which carry the labels themselves.
  if (!request.type.namespaced && request.type.plural !== 'namespaces') return true
  return matchesLabels(requirements, namespaceLabels(request, world))
}

function namespaceLabels(request: AdmissionRequest, world: MatchWorld): Labels | undefined {
  const { type, operation, subresource, object } = request
  // The stored namespace does not have the new labels yet.
  if (type.plural === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return object?.metadata.labels
  const name = namespaceOf(request)
  const namespace = world.namespace(name)
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces', name })
  return namespace.metadata.labels
}

/** A namespace is in itself: that is what Kubernetes tells webhooks and policies. */
export const namespaceOf = ({ type, name, namespace }: Pick<AdmissionRequest, 'type' | 'name' | 'namespace'>): string =>
  type.group === '' && type.plural === 'namespaces' ? name : namespace
