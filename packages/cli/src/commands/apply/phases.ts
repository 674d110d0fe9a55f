import { formatGroupKind, type GroupKind, gvkOf, isJsonObject, type KubeObject, specOf } from '@weft/api'
import { namespaceKind, NoMatchError, sleep, systemClock } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'
import type { Manifest } from '../../manifests/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { namespaceOf } from './apply-objects.ts'

/** `later`, those whose kind is served already (`checkable`) can be checked all the same, somewhere else. */
export interface Phases {
  readonly now: readonly Manifest[]
  readonly later: readonly Manifest[]
  readonly checkable: readonly Manifest[]
}

/**
 * What can be applied now, and what must wait for it: objects of kinds and in namespaces that the same files bring.
 * Within the first part, what others need comes first. A kind that neither the server nor the files know is refused
 * here, before anything is written.
 */
export async function planPhases(cluster: Cluster, manifests: readonly Manifest[]): Promise<Phases> {
  const now: Manifest[] = []
  const checkable: Manifest[] = []
  const later: Manifest[] = []
  const objects = manifests.map(({ object }) => object)
  for (const manifest of manifests) {
    const { object, source } = manifest
    const mapping = await servedMapping(cluster, object)
    if (mapping === undefined) {
      if (!mayDefine(objects, gvkOf(object)))
        throw new CommandFailure(
          `${source.file}:${source.line}: the server has no kind ${object.kind} of ${object.apiVersion}: apply its definition first, or see \`weft api-resources\`; nothing was applied`,
        )
      later.push(manifest)
    } else if (await awaitsNamespace(cluster, namespaceOf(cluster, mapping.namespaced, object), objects)) {
      later.push(manifest)
      checkable.push(manifest)
    } else now.push(manifest)
  }
  return {
    now: [...now.filter(({ object }) => isFoundation(object)), ...now.filter(({ object }) => !isFoundation(object))],
    later,
    checkable,
  }
}

async function servedMapping(cluster: Cluster, object: KubeObject): Promise<{ readonly namespaced: boolean } | undefined> {
  try {
    return await cluster.client.mapping(gvkOf(object))
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}

async function awaitsNamespace(cluster: Cluster, namespace: string | undefined, objects: readonly KubeObject[]): Promise<boolean> {
  if (namespace === undefined) return false
  const isInFiles = objects.some(
    ({ kind, apiVersion, metadata }) => apiVersion === 'v1' && kind === 'Namespace' && metadata.name === namespace,
  )
  return isInFiles && (await cluster.client.find(namespaceKind, { name: namespace })) === undefined
}

const isNamespace = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === 'v1' && kind === 'Namespace'

/** Others need it: it comes first, and goes last. */
export const isFoundation = (object: KubeObject): boolean => isNamespace(object) || definedKinds(object) !== undefined

/** Objects whose kinds cannot be read off them: packages and policies of activation bring what others describe. */
const BRING_ANYTHING = new Set(['Provider', 'Configuration', 'ManagedResourceActivationPolicy', 'InfrastructurePublication'])

/** The kinds that an object brings into being; `any` when only the server knows; undefined when it brings none. */
function definedKinds({ apiVersion, kind, ...object }: KubeObject): readonly GroupKind[] | 'any' | undefined {
  const { group } = gvkOf({ apiVersion, kind, ...object })
  if (/(^|\.)crossplane\.io$/.test(group) && BRING_ANYTHING.has(kind)) return 'any'
  if (!kind.endsWith('Definition')) return undefined
  const spec = specOf(object)
  const template = isJsonObject(spec['crdSpecTemplate']) ? spec['crdSpecTemplate'] : spec
  const names = [template['names'], template['claimNames']].filter(isJsonObject).map((each) => each['kind'])
  return names.filter((name) => typeof name === 'string').map((name) => ({ group: String(template['group'] ?? ''), kind: name }))
}

function mayDefine(objects: readonly KubeObject[], wanted: GroupKind): boolean {
  return objects.some((object) => {
    const defined = definedKinds(object)
    return defined === 'any' || defined?.some(({ group, kind }) => group === wanted.group && kind === wanted.kind) === true
  })
}

const POLL_MS = 150

/** Until the server serves the kinds of all of them. */
export async function waitForKinds(cluster: Cluster, manifests: readonly Manifest[], timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  const wanted = [...new Map(manifests.map(({ object }) => [`${object.apiVersion} ${object.kind}`, object])).values()]
  await withProgress(`waiting for ${wanted.map(({ kind }) => kind).join(', ')}`, async () => {
    for (;;) {
      const missing: KubeObject[] = []
      for (const object of wanted) if ((await servedMapping(cluster, object)) === undefined) missing.push(object)
      if (missing.length === 0) return
      if (Date.now() > deadline) {
        const names = missing.map((object) => formatGroupKind(gvkOf(object)))
        throw new CommandFailure(
          `the server does not serve ${names.join(', ')} after ${timeoutMs / 1000} s: see the conditions of the definition (weft describe)`,
        )
      }
      await sleep(systemClock, POLL_MS)
      cluster.mapper.invalidate()
    }
  })
}
