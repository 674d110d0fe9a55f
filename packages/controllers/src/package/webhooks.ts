import { type KubeObject, specOf } from '@weft/api'
import type { Package } from '@weft/xpkg'
import { PackageRefusal } from './package-refusal.ts'

/** Where the webhooks of a package's program are asked. */
export interface WebhookTarget {
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number }
  /** Base64, as webhook configurations have it. */
  readonly caBundle: string
}

interface ClientConfig {
  readonly url?: string
  readonly service?: { readonly path?: string }
}
interface Webhook {
  readonly name?: string
  readonly clientConfig?: ClientConfig
  readonly rules?: readonly Rule[]
}
interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
}
interface Defined {
  readonly group?: string
  readonly names?: { readonly plural?: string }
  readonly conversion?: Conversion
}
interface Conversion {
  readonly strategy?: string
  readonly webhook?: { readonly clientConfig?: ClientConfig }
}

const CONFIGURATION = /^(Validating|Mutating)WebhookConfiguration$/
const DEFINITION = /^(CustomResource|ManagedResource)Definition$/

const webhooksOf = (object: KubeObject): readonly Webhook[] =>
  CONFIGURATION.test(object.kind) && Array.isArray(object['webhooks']) ? (object['webhooks'] as readonly Webhook[]) : []
const definedBy = (object: KubeObject): Defined => (DEFINITION.test(object.kind) ? specOf(object) : {})

/** Does its program answer questions of the server's? */
export const carriesWebhooks = ({ objects }: Package): boolean =>
  objects.some((object) => webhooksOf(object).length > 0 || definedBy(object).conversion?.strategy === 'Webhook')

/** Is its program called about kinds that these objects define, to admit or to convert them? */
export function areAskedAbout(objects: readonly KubeObject[]): boolean {
  const defined = objects.flatMap((object) => {
    const { group = '', names, conversion } = definedBy(object)
    return names === undefined ? [] : [{ group, plural: names.plural ?? '', conversion }]
  })
  const isMeant = ({ apiGroups = [], resources = [] }: Rule): boolean =>
    defined.some(
      ({ group, plural }) =>
        [group, '*'].some((each) => apiGroups.includes(each)) && resources.some((each) => ['*', plural].includes(each.split('/')[0] ?? '')),
    )
  return (
    defined.some(({ conversion }) => conversion?.strategy === 'Webhook') ||
    objects.some((object) => webhooksOf(object).some(({ rules = [] }) => rules.some(isMeant)))
  )
}

/**
 * The objects of a package with their webhooks where its program listens, under a name of the package's own. Its author does not know either. A program is asked about
 * the kinds of its package and no others: whatever it is asked about it reads.
 */
export function pointWebhooks(
  objects: readonly KubeObject[],
  packageName: string,
  { service, caBundle }: WebhookTarget,
): readonly KubeObject[] {
  const own = new Set(objects.flatMap((object) => definedBy(object).group ?? []))
  const pointed = ({ url, service: before }: ClientConfig = {}, path?: string): object => {
    if (url !== undefined) return { url, caBundle }
    const at = before?.path ?? path
    return { service: { ...service, ...(at !== undefined && { path: at }) }, caBundle }
  }
  const seen = new Map<string, number>()
  return objects.map((object) => {
    const webhooks = webhooksOf(object)
    if (webhooks.length > 0) {
      for (const { name = '', rules = [] } of webhooks)
        for (const group of rules.flatMap(({ apiGroups = [] }) => apiGroups))
          if (!own.has(group))
            throw new PackageRefusal(
              'ObjectRefused',
              `${object.kind} ${object.metadata.name ?? ''}: webhook ${name} asks about kinds of the group ${JSON.stringify(group)}, which the package does not define: a provider may be asked about its own kinds only`,
            )
      const count = (seen.get(object.kind) ?? 0) + 1
      seen.set(object.kind, count)
      const name = `crossplane-provider-${packageName}${count === 1 ? '' : `-${count}`}`
      return {
        ...object,
        metadata: { ...object.metadata, name },
        webhooks: webhooks.map((webhook) => ({ ...webhook, clientConfig: pointed(webhook.clientConfig) })),
      }
    }
    const { conversion } = definedBy(object)
    if (conversion?.strategy !== 'Webhook') return object
    const webhook = { ...conversion.webhook, clientConfig: pointed(conversion.webhook?.clientConfig, '/convert') }
    return { ...object, spec: { ...specOf(object), conversion: { ...conversion, webhook } } }
  })
}
