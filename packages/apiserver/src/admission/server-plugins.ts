import { randomUUID } from 'node:crypto'
import type { RbacAuthorizer } from '../auth/index.ts'
import type { QuotaLedger } from '../quota/index.ts'
import type { Catalog } from '../registry/index.ts'
import type { AdmissionPlugin } from './admission.ts'
import type { MatchWorld } from './matching/criteria.ts'
import { EquivalentTypes } from './matching/equivalent-types.ts'
import { namespaceLifecycle } from './namespace-lifecycle.ts'
import { ownerReferencePermissions } from './owner-references.ts'
import { paramRights } from './policies/param-rights.ts'
import { mutatingPolicies } from './policies/mutating-policies.ts'
import { validatingPolicies } from './policies/validating-policies.ts'
import { rbacEscalation } from './rbac-escalation.ts'
import { resourceQuotas } from './resource-quota.ts'
import { webhookConfigurations } from './webhooks/configurations.ts'
import type { WebhookClient } from './webhooks/http-client.ts'
import { mutatingWebhooks } from './webhooks/mutating.ts'
import type { WebhookParts } from './webhooks/parts.ts'
import type { ServiceResolver } from './webhooks/service-resolver.ts'
import { validatingWebhooks } from './webhooks/validating.ts'

export interface ServerPluginParts {
  readonly catalog: Catalog
  readonly authorizer: () => RbacAuthorizer
  /** Absent until the server has started. */
  readonly quotas: () => QuotaLedger | undefined
  readonly client: WebhookClient
  readonly resolve: ServiceResolver
  /** Plug-ins for kinds of others. */
  readonly more: readonly AdmissionPlugin[]
  /** False until the server has what it needs to run: before that no webhook and no policy is asked. */
  readonly started: () => boolean
  readonly onError: (what: string, error: unknown) => void
}

/** All of admission, in kube-apiserver's order: what users configure comes last and sees what the server itself made. */
export function serverPlugins(parts: ServerPluginParts): readonly AdmissionPlugin[] {
  const { catalog, authorizer, quotas, client, resolve, more, started, onError } = parts
  const world: MatchWorld = { equivalents: new EquivalentTypes(catalog), namespace: namespaceLookup(catalog) }
  const shared: Omit<WebhookParts, 'webhooks'> = {
    world,
    authorizer,
    client,
    resolve,
    newUid: randomUUID,
    onIgnored: onError,
    enabled: started,
  }
  return [
    namespaceLifecycle(() => catalog),
    ...more,
    rbacEscalation(authorizer),
    ownerReferencePermissions(catalog, authorizer),
    paramRights(catalog, authorizer),
    mutatingPolicies({ catalog, world, authorizer, enabled: started }),
    mutatingWebhooks({ ...shared, webhooks: webhookConfigurations(catalog, 'mutatingwebhookconfigurations') }),
    validatingPolicies({ catalog, world, authorizer, enabled: started }),
    validatingWebhooks({ ...shared, webhooks: webhookConfigurations(catalog, 'validatingwebhookconfigurations') }),
    resourceQuotas(catalog, quotas),
  ]
}

const namespaceLookup =
  (catalog: Catalog): MatchWorld['namespace'] =>
  (name) => {
    const type = catalog.find('', 'v1', 'namespaces')
    return type === undefined ? undefined : catalog.store(type).get(type.storage.prefix + name)?.object
  }
