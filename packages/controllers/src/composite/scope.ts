import { type GroupKind, gvkOf, type KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import type { ComposedTemplate } from '@weft/composition'
import type { DefinedKind } from '../definition/definition.ts'
import { inactiveKind } from '../definition/inactive-kind.ts'
import { isReservedGroup, type Nature, natureOf } from '../definition/nature.ts'
import { CompositeError } from './composite-error.ts'
import type { KindIndex } from './kind-index.ts'
import type { CompositeType } from './composite-type.ts'

/** Where objects of a template's kind live. Rejects with a CompositeError KindNotServed ("no matches for kind …") when nobody serves it. */
export async function kindOfTemplate(template: ComposedTemplate, index: KindIndex, client: Client): Promise<DefinedKind & ComposedKind> {
  const gvk = gvkOf(template.base)
  const crd = index.find(gvk)
  if (crd?.spec.versions.some(({ name, served }) => served && name === gvk.version) === true)
    return { ...gvk, plural: crd.spec.names.plural, namespaced: crd.spec.scope === 'Namespaced', nature: natureOf(crd) }
  try {
    return { ...(await client.mapping(gvk)), nature: crd === undefined ? 'other' : natureOf(crd) }
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error
    const inactive = crd === undefined ? index.inactive(gvk) : undefined
    if (inactive !== undefined)
      throw new CompositeError('KindNotServed', `${template.origin}: ${inactiveKind(gvk, inactive)}`, { cause: error })
    const known =
      crd === undefined
        ? ''
        : `; it is served as ${crd.spec.versions
            .filter(({ served }) => served)
            .map(({ name }) => name)
            .join(', ')}`
    throw new CompositeError('KindNotServed', `${template.origin}: ${error.message}${known}`, { cause: error })
  }
}

/**
 * C11: an application is composed of namespaced resources in its own namespace. C12: infrastructure is composed of cluster-scoped infrastructure: managed
 * kinds and defined ones, never anything else that lives in the cluster's scope. `account`: whom a definition has its members made as (C13).
 */
export function mustBeInScope(
  composite: KubeObject,
  { type, account }: { readonly type: CompositeType; readonly account: boolean },
  template: ComposedTemplate,
  kind: ComposedKind,
): void {
  const refusal = outOfScope(type, kind, account) ?? outOfNamespace(composite, type, template)
  if (refusal !== undefined) throw new CompositeError('ScopeRefused', `${template.origin}: ${kind.kind} ${refusal}`)
}

/** Where objects of a composed kind live, and what they are to Weft. */
export interface ComposedKind extends GroupKind {
  readonly namespaced: boolean
  readonly nature: Nature
}

const MADE_FOR_SOMEBODY: ReadonlySet<Nature> = new Set<Nature>(['managed', 'composite', 'composite resource'])

/** Why a composite of this type may not be composed of this kind, in words that follow its name; undefined when it may. */
export function outOfScope({ scope }: CompositeType, kind: ComposedKind, account: boolean): string | undefined {
  if (scope === 'Namespaced') {
    if (!kind.namespaced) return 'is cluster scoped: an application may only be composed of resources in its namespace'
    if (!account && isSensitive(kind))
      return 'grants access to others, so only an account that may create it can: name one in serviceAccountRef of the definition'
    return undefined
  }
  if (kind.namespaced) return 'is namespaced: infrastructure may only be composed of cluster-scoped infrastructure'
  if (isReservedGroup(kind.group) || !MADE_FOR_SOMEBODY.has(kind.nature))
    return `is not infrastructure: only managed kinds, and kinds that an InfrastructureDefinition or a CompositeResourceDefinition defines, may be composed`
  return undefined
}

function outOfNamespace(
  { metadata }: KubeObject,
  { scope }: CompositeType,
  { requestedNamespace: asked }: ComposedTemplate,
): string | undefined {
  if (scope !== 'Namespaced' || asked === undefined || asked === metadata.namespace) return undefined
  return `asks for namespace ${asked}: an application may only be composed of resources in its own namespace, ${metadata.namespace ?? ''}`
}

/**
 * Kinds that Weft's own account may write for its own work, or that would make whoever controls them more than they are. Weft does not lend
 * itself to that.
 */
const isSensitive = ({ group, kind }: GroupKind): boolean =>
  group === 'rbac.authorization.k8s.io' || (group === '' && (kind === 'Secret' || kind === 'ServiceAccount'))
