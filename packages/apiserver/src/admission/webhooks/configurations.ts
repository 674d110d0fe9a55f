import type { KubeObject, LabelSelector } from '@weft/api'
import { PolicyScope } from '@weft/cel'
import type { Catalog } from '../../registry/index.ts'
import { CompiledList } from '../compiled-list.ts'
import { type MatchCondition, MatchConditions } from '../expressions/match-conditions.ts'
import { MatchCriteria } from '../matching/criteria.ts'
import type { Rule } from '../matching/rules.ts'
import { type ClientConfig, type Trust, trustOf } from './endpoint.ts'

/** One webhook, ready to be matched and called. */
export interface Webhook {
  /** Unique among all webhooks: names may repeat. */
  readonly id: string
  readonly name: string
  readonly criteria: MatchCriteria
  readonly conditions: { readonly scope: PolicyScope; readonly expressions: MatchConditions } | undefined
  readonly clientConfig: ClientConfig
  readonly trust: Trust
  /** failurePolicy Ignore: a call that fails is as good as one that allows. */
  readonly ignoresFailure: boolean
  readonly timeoutSeconds: number
  readonly sideEffects: string | undefined
  readonly reviewVersions: readonly string[]
  /** reinvocationPolicy IfNeeded. */
  readonly reinvocable: boolean
}

interface WebhookSpec {
  readonly name: string
  readonly clientConfig: ClientConfig
  readonly rules?: readonly Rule[]
  readonly failurePolicy?: string
  readonly matchPolicy?: string
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly sideEffects?: string
  readonly timeoutSeconds?: number
  readonly admissionReviewVersions?: readonly string[]
  readonly reinvocationPolicy?: string
  readonly matchConditions?: readonly MatchCondition[]
}

const DEFAULT_TIMEOUT_SECONDS = 10

/** All webhooks of one kind of configuration: configurations by name, those of each in the order in which it lists them. */
export function webhookConfigurations(catalog: Catalog, plural: string): CompiledList<Webhook> {
  const kind = { group: 'admissionregistration.k8s.io', version: 'v1', plural }
  return new CompiledList(catalog, kind, ({ object }) => compileConfiguration(object))
}

function compileConfiguration(configuration: KubeObject): readonly Webhook[] {
  const webhooks = (configuration['webhooks'] ?? []) as readonly WebhookSpec[]
  return webhooks.map((spec, index) => compileWebhook(spec, `${configuration.metadata.name ?? ''}/${index}`))
}

function compileWebhook(spec: WebhookSpec, id: string): Webhook {
  const { rules, matchPolicy, namespaceSelector, objectSelector, matchConditions = [] } = spec
  const ignoresFailure = spec.failurePolicy === 'Ignore'
  const scope = new PolicyScope({ authorizer: true })
  return {
    id,
    name: spec.name,
    criteria: new MatchCriteria({
      ...(rules && { resourceRules: rules }),
      ...(matchPolicy !== undefined && { matchPolicy }),
      ...(namespaceSelector && { namespaceSelector }),
      ...(objectSelector && { objectSelector }),
    }),
    conditions:
      matchConditions.length === 0 ? undefined : { scope, expressions: new MatchConditions(matchConditions, scope, ignoresFailure) },
    clientConfig: spec.clientConfig,
    trust: trustOf(spec.clientConfig.caBundle),
    ignoresFailure,
    timeoutSeconds: spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    sideEffects: spec.sideEffects,
    reviewVersions: spec.admissionReviewVersions ?? [],
    reinvocable: spec.reinvocationPolicy === 'IfNeeded',
  }
}
