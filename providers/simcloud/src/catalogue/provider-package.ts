import { join } from 'node:path'
import type { GroupKind, JsonObject } from '@weft/api'
import type { Binding, Reference } from './binding.ts'
import { readDataFiles } from './data-file.ts'
import { type DataNode, DataFileError } from './data-node.ts'
import { readBinding, readReference } from './read-binding.ts'
import { readDefinition, type Definition } from './read-definition.ts'

/** What a provider's `package/` directory installs, checked, and in the form that the code of this package wants to ask about it. */
export interface ProviderPackage {
  readonly name: string
  readonly capabilities: readonly string[]
  /** ManagedResourceDefinitions. */
  readonly managed: readonly Definition[]
  /** CustomResourceDefinitions: class kinds and the provider's own configuration kinds. */
  readonly custom: readonly Definition[]
  readonly bindings: readonly Binding[]
  readonly references: readonly Reference[]
  /** Every object as it stands in the files, for whoever installs them. */
  readonly objects: readonly JsonObject[]
}

/** Reads and checks `{directory}/package`. Throws DataFileError. */
export function loadProviderPackage(directory: string): ProviderPackage {
  const folder = join(directory, 'package')
  const documents = readDataFiles(folder)
  const found: {
    meta: DataNode[]
    managed: Definition[]
    custom: Definition[]
    bindings: [Binding, DataNode][]
    references: [Reference, DataNode][]
  } = {
    meta: [],
    managed: [],
    custom: [],
    bindings: [],
    references: [],
  }
  for (const document of documents) {
    const type = `${document.get('apiVersion').string()} ${document.get('kind').string()}`
    switch (type) {
      case 'meta.pkg.crossplane.io/v1 Provider':
        found.meta.push(document)
        break
      case 'apiextensions.crossplane.io/v1alpha1 ManagedResourceDefinition':
        found.managed.push(readDefinition(document))
        break
      case 'apiextensions.k8s.io/v1 CustomResourceDefinition':
        found.custom.push(readDefinition(document))
        break
      case 'weft.dev/v1alpha1 ResourceBindingDefinition':
        found.bindings.push([readBinding(document), document])
        break
      case 'weft.dev/v1alpha1 ResourceReferenceDefinition':
        found.references.push([readReference(document), document])
        break
      default:
        document.get('kind').fail(`a provider package cannot hold ${type}`)
    }
  }
  const [meta, second] = found.meta
  if (meta === undefined) throw new DataFileError(folder, '', 'has no meta.pkg.crossplane.io/v1 Provider')
  second?.fail(`the package already has its Provider in ${meta.file}`)
  checkUnique(documents)
  for (const [binding, document] of found.bindings) checkBinding(binding, document, found)
  for (const [reference, document] of found.references) checkReference(reference, document, found.managed)
  return {
    name: meta.get('metadata').get('name').string(),
    capabilities: meta
      .get('spec')
      .get('capabilities')
      .optionalList()
      .map((item) => item.string()),
    managed: found.managed,
    custom: found.custom,
    bindings: found.bindings.map(([binding]) => binding),
    references: found.references.map(([reference]) => reference),
    objects: documents.map((document) => document.value as JsonObject),
  }
}

function checkUnique(documents: readonly DataNode[]): void {
  const seen = new Map<string, string>()
  for (const document of documents) {
    const name = document.get('metadata').get('name')
    const key = `${document.get('kind').string()} ${name.string()}`
    const earlier = seen.get(key)
    if (earlier !== undefined) name.fail(`${key} is already in ${earlier}`)
    seen.set(key, document.file)
  }
}

function checkBinding(
  binding: Binding,
  document: DataNode,
  known: { managed: readonly Definition[]; custom: readonly Definition[] },
): void {
  const spec = document.get('spec')
  if (!known.custom.some((definition) => defines(definition, binding.class))) spec.get('class').fail(notHere(binding.class))
  const managed = known.managed.find((definition) => defines(definition, binding.managed))
  if (managed === undefined) return spec.get('managed').fail(notHere(binding.managed))
  if (!managed.versions.includes(binding.managed.version))
    spec.get('managed').get('version').fail(`${binding.managed.kind} has no version ${binding.managed.version}`)
}

function checkReference(reference: Reference, document: DataNode, managed: readonly Definition[]): void {
  const spec = document.get('spec')
  const { from } = reference
  if (from !== undefined && !managed.some((definition) => defines(definition, from))) spec.get('from').fail(notHere(from))
  reference.targets.forEach((target, index) => {
    if (!managed.some((definition) => defines(definition, target))) spec.get('targets').list()[index]?.fail(notHere(target))
  })
}

const defines = (definition: Definition, { group, kind }: GroupKind): boolean => definition.group === group && definition.kind === kind
const notHere = ({ group, kind }: GroupKind): string => `${kind}.${group} is not defined in this package`
