import { hasReason, isOfWeft, type KubeObject, weftKinds } from '@weft/api'
import { type Client, type Kind, NoMatchError } from '@weft/client'
import type { Obstacle } from '../foreign-objects.ts'

const DEPLOYMENT: Kind = { group: 'apps', kind: 'Deployment' }
const REGISTRATIONS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']

/** The controllers of Crossplane, where they run: two that reconcile the same objects undo each other's work. */
export async function crossplaneAtWork(client: Client): Promise<readonly Obstacle[]> {
  const controllers = await listed(client, DEPLOYMENT, 'app.kubernetes.io/name=crossplane')
  return controllers
    .filter(({ spec }) => (spec as { replicas?: number } | undefined)?.replicas !== 0)
    .map(({ metadata: { namespace = '', name = '' } }) => ({
      object: `Deployment ${namespace}/${name}`,
      detail: `the controllers of Crossplane: stop them with \`kubectl scale --replicas=0 -n ${namespace} deployment/${name}\`, and Weft takes over what they made`,
    }))
}

/** Admission of others that names kinds of Weft's, which would judge objects that it does not know. Asked before the first installation. */
export async function judges(client: Client): Promise<readonly Obstacle[]> {
  const found: Obstacle[] = []
  for (const kind of REGISTRATIONS) {
    for (const registration of await listed(client, { group: 'admissionregistration.k8s.io', kind })) {
      const judged = isOfWeft(registration) ? [] : judgedBy(registration)
      if (judged.length > 0)
        found.push({ object: `${kind} ${registration.metadata.name ?? ''}`, detail: `judges ${judged.slice(0, 3).join(', ')}` })
    }
  }
  return found
}

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
}

/** Kinds of Weft's that a registration names. One that judges everything, as policy engines do, is a neighbour of everybody. */
function judgedBy(registration: KubeObject): readonly string[] {
  const rules = ((registration['webhooks'] ?? []) as readonly { rules?: readonly Rule[] }[]).flatMap(({ rules: each = [] }) => each)
  return weftKinds.flatMap(({ spec }) =>
    rules.some(({ apiGroups = [], resources = [] }) => apiGroups.includes(spec.group) && resources.includes(spec.names.plural))
      ? [`${spec.names.plural}.${spec.group}`]
      : [],
  )
}

/** Whoever may not look goes without: kinds and roles are looked at in any case. */
async function listed(client: Client, kind: Kind, labels?: string): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(kind, labels === undefined ? {} : { labels })).items
  } catch (error) {
    if (error instanceof NoMatchError || hasReason(error, 'Forbidden') || hasReason(error, 'NotFound')) return []
    throw error
  }
}
