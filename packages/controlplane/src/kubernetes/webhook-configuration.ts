import { deepEqual, hasReason, isOfWeft, type KubeObject, PART_OF_WEFT, TERRAFORM_REVIEWS } from '@weft/api'
import { type Client, defineKind, type StaticKind } from '@weft/client'
import { CLAIM_FINALIZER, IN_USE, USAGE_KINDS } from '@weft/controllers'
import { ForeignObjectsError, obstacleOf } from '../foreign-objects.ts'
import { COLLECTORS } from '@weft/plane'
import { AUTHORIZE_PATH, GUARD_PATH, TERRAFORM_PATH, USAGES_PATH, VALIDATE_PATH } from './webhook-server.ts'

export const WEBHOOKS = 'weft'
export const WEBHOOK_SERVICE = 'weft-webhooks'

const DEFINITION_GROUP = 'apiextensions.crossplane.io'
const REGISTRATION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false }
const configurationKind: StaticKind = defineKind({
  ...REGISTRATION,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
})

const questionsKind: StaticKind = defineKind({
  ...REGISTRATION,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
})

/** How the API server reaches the webhook: through a Service of its cluster, or at an address of its own. */
export type WebhookPlace = { readonly namespace: string } | { readonly url: string }

/**
 * Which writes are judged. One webhook tells authors of mistakes early; its failures are ignored on purpose, since whatever passes it is reported by the
 * controllers on use, and what must never pass (immutable fields, wrong names) is in the schemas, which the server itself enforces. The other keeps
 * authors to their rights, which nobody can do later, when it is no longer known who wrote what: while Weft does not answer, nobody changes what it
 * makes. Labels and finalizers are never held up. The last two keep what exists from being lost by mistake. References of `defined` kinds that
 * lead elsewhere are put right by the controllers if they were not seen, so those failures are ignored. A deletion that takes others along cannot be
 * undone by anybody, and the more it takes, the longer they are counted: while Weft does not answer, or not in time, it is refused. What is in use says so by
 * a label, and is not deleted while Weft does not answer; nothing else is ever asked about.
 * Authors of `bound` kinds, claims and typed classes, are told of fields that nothing will read.
 */
export const webhookConfiguration = (
  place: WebhookPlace,
  caBundle?: string,
  { defined = [], bound = [] }: WebhookScope = {},
): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: WEBHOOKS, labels: PART_OF_WEFT },
  webhooks: [
    { name: 'validate.weft.dev', failurePolicy: 'Ignore', ...shared(place, VALIDATE_PATH, caBundle), rules: [...RULES, ...TOLD] },
    {
      name: 'claims.weft.dev',
      failurePolicy: 'Ignore',
      ...shared(place, VALIDATE_PATH, caBundle),
      // Claims may be of any kind; those that Weft holds something for say so.
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['UPDATE'], scope: 'Namespaced' }],
      matchConditions: [
        {
          name: 'held-by-weft',
          expression: `has(oldObject.metadata.finalizers) && '${CLAIM_FINALIZER}' in oldObject.metadata.finalizers`,
        },
      ],
    },
    {
      name: 'authorize.weft.dev',
      failurePolicy: 'Fail',
      matchConditions: [SPEC_CHANGES],
      ...shared(place, AUTHORIZE_PATH, caBundle),
      rules: [...RULES, ...USAGES],
    },
    // Without kinds there is nothing to ask about.
    ...(bound.length === 0
      ? []
      : [
          {
            name: 'spelling.weft.dev',
            failurePolicy: 'Ignore',
            matchConditions: [SPEC_CHANGES],
            ...shared(place, VALIDATE_PATH, caBundle),
            rules: bound.map(({ group, plurals }) => rule(group, plurals, ['CREATE', 'UPDATE'], '*')),
          },
        ]),
    { name: 'guard.weft.dev', failurePolicy: 'Ignore', ...shared(place, GUARD_PATH, caBundle), rules: guardRules(defined) },
    {
      name: 'deletions.weft.dev',
      failurePolicy: 'Fail',
      ...shared(place, GUARD_PATH, caBundle),
      // The longest that there is: everything that would go is counted.
      timeoutSeconds: 30,
      matchConditions: [
        { name: 'decided-by-somebody', expression: `!(request.userInfo.username in ['${[...COLLECTORS].join("', '")}'])` },
        { name: 'not-under-way', expression: '!has(oldObject.metadata.deletionTimestamp)' },
        // Kinds of others are none of our business, least of all while we do not answer.
        {
          name: 'defined-by-weft',
          expression:
            "request.resource.group != 'apiextensions.k8s.io' || (has(oldObject.metadata.ownerReferences) && " +
            `oldObject.metadata.ownerReferences.exists(owner, has(owner.controller) && owner.controller && owner.apiVersion.startsWith('${DEFINITION_GROUP}/')))`,
        },
      ],
      rules: DELETIONS,
    },
    {
      name: 'nousages.protection.crossplane.io',
      failurePolicy: 'Fail',
      ...shared(place, USAGES_PATH, caBundle),
      // The attempt is noted on the object.
      sideEffects: 'NoneOnDryRun',
      timeoutSeconds: 10,
      objectSelector: { matchLabels: { [IN_USE]: 'true' } },
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['DELETE'], scope: '*' }],
    },
  ],
})

/**
 * Answers, in the one way in which a webhook can: a review that is created as a dry run comes back with its status. It is asked about nothing else, and while
 * Weft does not answer no questions are answered.
 */
export const questionsConfiguration = (place: WebhookPlace, caBundle?: string): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: WEBHOOKS, labels: PART_OF_WEFT },
  webhooks: [
    {
      name: 'terraform.weft.dev',
      failurePolicy: 'Fail',
      ...shared(place, TERRAFORM_PATH, caBundle),
      // Providers ask clouds: as long as there is.
      timeoutSeconds: 30,
      rules: [rule(TERRAFORM_REVIEWS.group, [TERRAFORM_REVIEWS.plural], ['CREATE'])],
    },
  ],
})

const SPEC_CHANGES = {
  name: 'spec-changes',
  expression: "request.operation == 'CREATE' || !has(object.spec) || !has(oldObject.spec) || object.spec != oldObject.spec",
}

const shared = (place: WebhookPlace, path: string, caBundle: string | undefined): object => ({
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 5,
  clientConfig: {
    ...('url' in place
      ? { url: `${place.url.replace(/\/$/, '')}${path}` }
      : { service: { namespace: place.namespace, name: WEBHOOK_SERVICE, path, port: 443 } }),
    ...(caBundle !== undefined && { caBundle: Buffer.from(caBundle).toString('base64') }),
  },
})

/** Resources of one group. */
export interface DefinedResources {
  readonly group: string
  readonly plurals: readonly string[]
}

/** The kinds of a server that come and go with definitions and providers. */
export interface WebhookScope {
  /** Their objects have references that must stay. */
  readonly defined?: readonly DefinedResources[]
  /** Claims and typed classes. */
  readonly bound?: readonly DefinedResources[]
}

const rule = (group: string, resources: readonly string[], operations: readonly string[], scope: 'Cluster' | '*' = 'Cluster'): object => ({
  apiGroups: [group],
  apiVersions: ['*'],
  resources,
  operations,
  scope,
})

const guardRules = (defined: readonly DefinedResources[]): readonly object[] => [
  rule(DEFINITION_GROUP, ['infrastructuredefinitions', 'applicationdefinitions'], ['UPDATE']),
  ...defined.map(({ group, plurals }) => rule(group, plurals, ['UPDATE'], '*')),
]

/** What takes others along when it goes. */
const DELETIONS: readonly object[] = [
  rule(
    DEFINITION_GROUP,
    [
      'compositions',
      'infrastructuredefinitions',
      'applicationdefinitions',
      'infrastructurepublications',
      'managedresourcedefinitions',
      'compositeresourcedefinitions',
    ],
    ['DELETE'],
  ),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['DELETE']),
  rule('pkg.crossplane.io', ['providers', 'configurations'], ['DELETE']),
]

const RULES: readonly object[] = [
  rule('infrastructure.crossplane.io', ['resourceclasses', 'compositeresourceclasses'], ['CREATE', 'UPDATE']),
  rule('weft.dev', ['resourcebindingdefinitions'], ['CREATE', 'UPDATE']),
  rule(DEFINITION_GROUP, ['compositions', 'compositionrevisions'], ['CREATE', 'UPDATE']),
  rule('ops.crossplane.io', ['operations', 'cronoperations', 'watchoperations'], ['CREATE', 'UPDATE']),
  rule(DEFINITION_GROUP, ['infrastructuredefinitions', 'applicationdefinitions'], ['CREATE', 'UPDATE']),
]

/** They have Weft mark objects, and delete some. */
const USAGES: readonly object[] = USAGE_KINDS.map(({ group, plural }) => rule(group, [plural], ['CREATE', 'UPDATE'], '*'))

/** Nothing is made with anybody's rights by these: their authors are only told of mistakes. */
const TOLD: readonly object[] = [
  rule(DEFINITION_GROUP, ['managedresourceactivationpolicies', 'compositeresourcedefinitions'], ['CREATE', 'UPDATE']),
  rule('aggregation.crossplane.io', ['aggregateresourceclasses'], ['CREATE', 'UPDATE']),
]

/** Registers the webhooks, or puts their registration right. Changes nothing where it is right. Several may do so at once. */
export async function registerWebhooks(
  client: Client,
  place: WebhookPlace,
  { caBundle, ...scope }: WebhookScope & { readonly caBundle: string },
): Promise<void> {
  await register(client, configurationKind, webhookConfiguration(place, caBundle, scope))
  await register(client, questionsKind, questionsConfiguration(place, caBundle))
}

async function register(client: Client, kind: StaticKind, wanted: KubeObject): Promise<void> {
  for (;;) {
    const current = await client.find(kind, { name: WEBHOOKS })
    if (current !== undefined && !isOfWeft(current)) throw new ForeignObjectsError([obstacleOf(current)])
    if (current !== undefined && deepEqual(essence(current), essence(wanted))) return
    try {
      // Not applied: whoever installed it may have named another way to reach it, which must go.
      await (current === undefined ? client.create(wanted) : client.update({ ...current, webhooks: wanted['webhooks'] }))
      return
    } catch (error) {
      if (current === undefined && hasReason(error, 'Forbidden'))
        throw new Error(`the registration of Weft's webhooks is gone, and Weft may not create it: install Weft again (weft install)`, {
          cause: error,
        })
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'AlreadyExists')) throw error
    }
  }
}

/** What is ours of a registration; the server adds defaults. */
function essence({ webhooks }: { readonly [field: string]: unknown }): unknown {
  return ((webhooks ?? []) as Readonly<Record<string, unknown>>[]).map(
    ({ name, clientConfig, rules, failurePolicy, timeoutSeconds, matchConditions, sideEffects, objectSelector = {} }) => ({
      name,
      clientConfig,
      rules,
      failurePolicy,
      timeoutSeconds,
      matchConditions,
      sideEffects,
      // The server says that there is none.
      objectSelector,
    }),
  )
}
