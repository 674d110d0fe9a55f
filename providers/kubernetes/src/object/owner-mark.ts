import { getOwn, type GroupKind, type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, defineKind, NoMatchError, type Transport } from '@weft/client'
import type { ManagedResource } from '@weft/provider-sdk'
import { objectIdentity } from './manifest.ts'

/**
 * On an object on a cluster: the Object that manages it. Only the object itself is one and the same for all who reach it, by whichever
 * ProviderConfig, kind of Object or control plane.
 */
export const OWNER = 'kubernetes.weft.dev/owner'

const namespaceKind = defineKind({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false })

interface Owner {
  /** The uid of the control plane's namespace kube-system. */
  readonly controlPlane: string
  /** `Object.kubernetes.crossplane.io` */
  readonly group: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  /** What is marked: on a copy of an object the mark says nothing. */
  readonly of: string
}

/** Whose an object on a cluster is, by its mark. `elsewhere`: an Object's of another control plane, of which nobody here can tell whether it still exists. */
export type Holder = 'nobody' | 'self' | 'another' | 'elsewhere'

export interface Marks {
  /** What the object is marked with by `resource`. */
  of(resource: ManagedResource): Promise<string>
  holderOf(current: KubeObject, resource: ManagedResource): Promise<Holder>
}

const systems = new WeakMap<Transport, Promise<string>>()

/** Marks of Objects of the control plane that `client` leads to. */
export function marksIn(client: Client): Marks {
  const { transport } = client
  const controlPlane = (): Promise<string> => {
    const known = systems.get(transport) ?? client.find(namespaceKind, { name: 'kube-system' }).then((found) => found?.metadata.uid ?? '')
    systems.set(transport, known)
    known.catch(() => systems.delete(transport))
    return known
  }
  return marksOf(controlPlane, async (kind, ref) => {
    try {
      return await client.find(kind, ref)
    } catch (error) {
      if (error instanceof NoMatchError) return undefined
      throw error
    }
  })
}

function marksOf(controlPlane: () => Promise<string>, find: FindOwner): Marks {
  const of = async (resource: ManagedResource): Promise<string> => format(resource, await controlPlane())
  return {
    of,
    async holderOf({ metadata }, resource) {
      const text = getOwn(metadata.annotations ?? {}, OWNER)
      if (typeof text !== 'string') return 'nobody'
      if (text === (await of(resource))) return 'self'
      const owner = parse(text)
      if (owner === undefined || owner.of !== objectIdentity(resource)) return 'nobody'
      if (owner.controlPlane !== (await controlPlane())) return 'elsewhere'
      const holder = await find({ group: owner.group, kind: 'Object' }, owner)
      // An Object that is gone may have left it behind.
      return holder?.metadata.uid === owner.uid && objectIdentity(holder) === owner.of ? 'another' : 'nobody'
    },
  }
}

/** Finds an Object of this control plane. */
type FindOwner = (
  kind: GroupKind,
  ref: { readonly namespace?: string | undefined; readonly name: string },
) => Promise<KubeObject | undefined>

function format(resource: ManagedResource, controlPlane: string): string {
  const { namespace, name = '', uid = '' } = resource.metadata
  const { group } = parseGroupVersion(resource.apiVersion)
  const owner: Owner = { controlPlane, group, ...(namespace !== undefined && { namespace }), name, uid, of: objectIdentity(resource) ?? '' }
  return JSON.stringify(owner)
}

function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Record<keyof Owner, unknown>> | null
    const { controlPlane, group, namespace, name, uid, of } = owner ?? {}
    const texts = [controlPlane, group, name, uid, of]
    if (texts.some((each) => typeof each !== 'string') || !['string', 'undefined'].includes(typeof namespace)) return undefined
    return owner as unknown as Owner
  } catch {
    return undefined
  }
}

/** The manifest with the mark: applied together, so that nothing is ever made without it. */
export const marked = (manifest: KubeObject, mark: string): KubeObject => ({
  ...manifest,
  metadata: { ...manifest.metadata, annotations: { ...manifest.metadata.annotations, [OWNER]: mark } },
})
