import { gvkOf, type KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import type { ComposedTemplate } from '@weft/composition'
import type { DefinedKind } from '../definition/definition.ts'
import { CompositeError } from './composite-error.ts'
import type { KindIndex } from './kind-index.ts'
import type { CompositeType } from './place.ts'

/** Where objects of a template's kind live. Rejects with a CompositeError KindNotServed ("no matches for kind …") when nobody serves it. */
export async function kindOfTemplate(template: ComposedTemplate, index: KindIndex, client: Client): Promise<DefinedKind> {
  const gvk = gvkOf(template.base)
  const crd = index.find(gvk)
  if (crd?.spec.versions.some(({ name, served }) => served && name === gvk.version) === true)
    return { ...gvk, plural: crd.spec.names.plural, namespaced: crd.spec.scope === 'Namespaced' }
  try {
    return await client.mapping(gvk)
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error
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
 * C11: an application is composed of namespaced resources in its own namespace. C12: infrastructure is composed of cluster-scoped infrastructure: kinds that
 * were defined, never Kubernetes' own (a Composition must not be a way to cluster roles).
 */
export function mustBeInScope(composite: KubeObject, type: CompositeType, template: ComposedTemplate, kind: DefinedKind): void {
  const what = `${template.origin}: ${kind.kind}`
  const refuse = (why: string): never => {
    throw new CompositeError('ScopeRefused', `${what} ${why}`)
  }
  if (type.scope === 'Namespaced') {
    if (!kind.namespaced) refuse('is cluster scoped: an application may only be composed of resources in its namespace')
    const { requestedNamespace: asked } = template
    if (asked !== undefined && asked !== composite.metadata.namespace)
      refuse(
        `asks for namespace ${asked}: an application may only be composed of resources in its own namespace, ${composite.metadata.namespace ?? ''}`,
      )
    return
  }
  if (kind.namespaced) refuse('is namespaced: infrastructure may only be composed of cluster-scoped infrastructure')
  if (!kind.group.includes('.') || kind.group.endsWith('.k8s.io')) refuse('is a kind of Kubernetes itself, not infrastructure')
}
