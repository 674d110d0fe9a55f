import type { GroupKind, JsonObject } from '@weft/api'
import type { DataNode } from './data-node.ts'

/** A ManagedResourceDefinition or CustomResourceDefinition, as far as this package needs to know it. */
export interface Definition extends GroupKind {
  readonly name: string
  readonly plural: string
  readonly scope: 'Cluster' | 'Namespaced'
  /** Served versions, as listed. */
  readonly versions: readonly string[]
  readonly storageVersion: string
  /** What a managed kind publishes; readable without making one (M13). */
  readonly connectionDetails: readonly { readonly name: string; readonly description: string }[]
  readonly object: JsonObject
}

/** Checks what an API server would refuse later and farther away from the file. */
export function readDefinition(document: DataNode): Definition {
  const spec = document.get('spec').object()
  const names = spec.get('names').object()
  const [group, plural] = [spec.get('group').string(), names.get('plural').string()]
  const name = document.get('metadata').object().get('name')
  if (name.string() !== `${plural}.${group}`) name.fail(`must be ${plural}.${group} (plural and group)`)
  for (const key of ['singular', 'listKind']) names.get(key).string()
  const versions = spec.get('versions')
  const storage = versions.list().filter((version) => version.get('storage').boolean(false))
  const [stored] = storage
  if (stored === undefined || storage.length > 1) return versions.fail('exactly one version must have storage: true')
  for (const version of versions.list()) checkVersion(version)
  return {
    name: name.string(),
    group,
    kind: names.get('kind').string(),
    plural,
    scope: spec.get('scope').oneOf(['Cluster', 'Namespaced']),
    versions: versions
      .list()
      .filter((version) => version.get('served').boolean(true))
      .map((version) => version.get('name').string()),
    storageVersion: stored.get('name').string(),
    connectionDetails: readConnectionDetails(spec.get('connectionDetails')),
    object: document.value as JsonObject,
  }
}

function checkVersion(version: DataNode): void {
  version.object()
  if (typeof version.get('served').value !== 'boolean') version.get('served').fail('is required')
  const schema = version.get('schema').object().get('openAPIV3Schema').object()
  schema.get('type').oneOf(['object'])
}

function readConnectionDetails(node: DataNode): { name: string; description: string }[] {
  const seen = new Set<string>()
  return node.optionalList().map((item) => {
    item.object(['name', 'description'])
    const name = item.get('name').string()
    if (seen.has(name)) item.get('name').fail(`is there twice: ${name}`)
    seen.add(name)
    return { name, description: item.get('description').string() }
  })
}
