import { getOwn, gvkOf, hasReason, isJsonObject, type KubeObject, specOf, weftKinds } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, NoMatchError } from '@weft/client'
import type { ProviderPackage } from '../provider/provider-package.ts'

/** What the package manager and the definition controller do, in short: every kind of the package installed and active. */
export async function installKinds(client: Client, { objects }: ProviderPackage): Promise<void> {
  const data = new Set(['ResourceBindingDefinition', 'ResourceReferenceDefinition'])
  const ours = weftKinds.filter(({ spec }) => data.has(spec.names.kind))
  const definitions = objects
    .filter(({ kind }) => kind === 'ManagedResourceDefinition' || kind === 'CustomResourceDefinition')
    .map(definitionOf)
  await Promise.all([...ours, ...definitions].map((definition) => install(client, definition)))
  await Promise.all(objects.filter(({ kind }) => data.has(kind)).map((object) => create(client, object)))
}

async function install(client: Client, definition: KubeObject): Promise<void> {
  await create(client, definition)
  const name = definition.metadata.name ?? ''
  // Established follows within moments; the next write would fail without it.
  for (let i = 0; i < 500; i++) {
    const installed: CustomResourceDefinition = await client.get(customResourceDefinitionKind, { name })
    if (installed.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`CustomResourceDefinition ${name} was not established`)
}

async function create(client: Client, object: KubeObject, attempts = 100): Promise<void> {
  try {
    await client.create(object)
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return
    // Discovery may lag behind the definitions that were just made.
    if (!(error instanceof NoMatchError) || attempts === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 50))
    await create(client, object, attempts - 1)
  }
}

/** A CustomResourceDefinition from a ManagedResourceDefinition. */
export function definitionOf(object: KubeObject): KubeObject {
  if (gvkOf(object).kind === 'CustomResourceDefinition') return object
  const { connectionDetails: _details, state: _state, versions, ...spec } = specOf(object)
  const list = Array.isArray(versions) ? versions : isJsonObject(versions) ? [versions] : []
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: object.metadata.name ?? '' },
    spec: { ...spec, scope: getOwn(spec, 'scope') ?? 'Cluster', versions: list },
  }
}
