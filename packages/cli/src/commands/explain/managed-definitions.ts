import { hasReason, isJsonObject, type KubeObject, specOf } from '@weft/api'
import { askDefinition, type Kind, NoMatchError, type ServedKind, type Transport } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'
import type { Schema } from './schema.ts'

/** What a ManagedResourceDefinition says of its kind, whether anybody activated it or not (M13). */
export interface ManagedDefinition {
  readonly group: string
  readonly kind: string
  readonly state: string
  readonly versions: readonly { readonly name: string; readonly schema: Schema | undefined }[]
  readonly connectionDetails: readonly ConnectionDetail[]
  /** How many of the words after the first belong to the name of the kind (`servers.example.org.spec` has two). */
  wordsUsed(word: string, path: readonly string[]): number
}

export interface ConnectionDetail {
  readonly name: string
  readonly description?: string
  readonly type?: string
}

/** On definitions: the type that the provider calls it, which is how many know it. */
const TERRAFORM_TYPE = 'terraform.weft.dev/type'
const MANAGED_DEFINITION: Kind = { group: 'apiextensions.crossplane.io', kind: 'ManagedResourceDefinition' }

export async function findManagedDefinition(cluster: Cluster, kind: ServedKind | string): Promise<ManagedDefinition | undefined> {
  for (const object of await managedDefinitions(cluster)) {
    const definition = definitionOf(object)
    if (
      definition !== undefined &&
      (typeof kind === 'string' ? definition.isCalled(kind) : definition.group === kind.group && definition.kind === kind.kind)
    )
      return definition.versions.length > 0
        ? definition
        : (definitionOf((await wholeDefinition(cluster.transport, object)) ?? object) ?? definition)
  }
  return undefined
}

/** A kind of a Terraform provider has no schema before it is activated: only the provider knows it. Undefined where nobody tells. */
export async function wholeDefinition(transport: Transport, { metadata }: KubeObject): Promise<KubeObject | undefined> {
  if (metadata.annotations?.[TERRAFORM_TYPE] === undefined) return undefined
  try {
    return await askDefinition(transport, metadata.name ?? '')
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return undefined
    throw error
  }
}

async function managedDefinitions(cluster: Cluster): Promise<readonly KubeObject[]> {
  try {
    return (await cluster.client.list(MANAGED_DEFINITION)).items
  } catch (error) {
    // A server without Weft has none.
    if (error instanceof NoMatchError) return []
    throw error
  }
}

function definitionOf(object: KubeObject): (ManagedDefinition & { isCalled(word: string): boolean }) | undefined {
  const spec = specOf(object)
  const names = isJsonObject(spec['names']) ? spec['names'] : {}
  const { group, state, versions, connectionDetails } = spec
  const { kind, plural, singular, shortNames } = names
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return undefined
  const type = object.metadata.annotations?.[TERRAFORM_TYPE]
  const words = new Set([plural, kind.toLowerCase(), singular, type, ...(Array.isArray(shortNames) ? shortNames : [])])
  const used = (word: string, path: readonly string[]): number => {
    const length = group.split('.').length
    return words.has(word.toLowerCase()) && path.slice(0, length).join('.') === group ? length : 0
  }
  return {
    group,
    kind,
    state: typeof state === 'string' ? state : 'Inactive',
    versions: (Array.isArray(versions) ? versions : []).filter(isJsonObject).map((version) => ({
      name: String(version['name']),
      schema: isJsonObject(version['schema']) ? (version['schema']['openAPIV3Schema'] as Schema | undefined) : undefined,
    })),
    connectionDetails: (Array.isArray(connectionDetails) ? connectionDetails : []).filter(
      isJsonObject,
    ) as unknown as readonly ConnectionDetail[],
    wordsUsed: used,
    isCalled(text) {
      const [word = '', ...rest] = text.split('.')
      return words.has(word.toLowerCase()) && (rest.length === 0 || rest.join('.') === group)
    },
  }
}
