import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatGroupKind, gvkOf, type KubeObject } from '@weft/api'
import { openLmdbStorage } from '@weft/apiserver'
import type { CustomResourceDefinition } from '@weft/client'

/** Kinds of Kubernetes that a control plane keeps something in, and that the embedded server stores. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Namespace: 'namespaces',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  'CustomResourceDefinition.apiextensions.k8s.io': 'customresourcedefinitions',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': 'validatingwebhookconfigurations',
}

/** An object of a world, and where a server keeps it. */
export interface Placed {
  readonly key: string
  readonly object: KubeObject
}

const isKind = (object: KubeObject): object is CustomResourceDefinition => object.kind === 'CustomResourceDefinition'

/** Those objects of a world that the embedded server stores, in the version that they are stored in. */
export function placed(world: readonly KubeObject[]): readonly Placed[] {
  const kinds = new Map(
    world.filter(isKind).map((crd) => [formatGroupKind({ group: crd.spec.group, kind: crd.spec.names.kind }), crd.spec]),
  )
  return world.flatMap((object) => {
    const { group, kind } = gvkOf(object)
    const spec = kinds.get(formatGroupKind({ group, kind }))
    const plural = spec?.names.plural ?? BUILT_IN[formatGroupKind({ group, kind })]
    if (plural === undefined) return []
    const stored = spec?.versions.find(({ storage }) => storage)?.name
    const { namespace, name = '' } = object.metadata
    const key = ['/registry', group === '' ? 'core' : group, plural, ...(namespace === undefined ? [] : [namespace]), name].join('/')
    return [{ key, object: stored === undefined ? object : { ...object, apiVersion: `${group}/${stored}` } }]
  })
}

/** A data directory of a control plane whose store holds these objects to the letter, uids and owners of fields included. */
export async function storeWorld(world: readonly Placed[]): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weft-switch-'))
  const storage = await openLmdbStorage({ directory: join(dataDir, 'storage') })
  for (const { key, object } of world)
    await storage.write(key, 0, (revision) =>
      Buffer.from(JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } })),
    )
  await storage.close()
  return dataDir
}
