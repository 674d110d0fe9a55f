import { formatGroupKind, gvkOf, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { DEFAULT_LIMITS } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import { carriedBy, mayCarry } from './carried-kinds.ts'
import type { Dependency, Package, PackageType } from './package.ts'
import { type YamlDocument, yamlDocuments } from './yaml-documents.ts'

export const META_GROUP = 'meta.pkg.crossplane.io'
const META_VERSIONS = new Set(['v1', 'v1beta1', 'v1alpha1'])
const NO_FILES: ReadonlyMap<string, Uint8Array> = new Map()

/** Text that is YAML, with the name that messages give it. */
export interface YamlFile {
  readonly name: string
  readonly text: string
}

/** Reads `package.yaml`. Throws PackageError that names the document and its line. */
export function parsePackage(text: string, files: ReadonlyMap<string, Uint8Array> = NO_FILES): Package {
  return parseFiles([{ name: 'package.yaml', text }], files)
}

/** The same, for the files of a directory. */
export function parseFiles(yaml: readonly YamlFile[], files: ReadonlyMap<string, Uint8Array> = NO_FILES): Package {
  const reader = new PackageReader()
  for (const { name, text } of yaml) for (const document of yamlDocuments(text, name)) reader.add(document)
  return reader.finish(files)
}

/** The same, letting others run between documents: a provider's megabytes take seconds to parse. */
export async function parseFilesGently(
  yaml: readonly YamlFile[],
  { files = NO_FILES, signal }: { readonly files?: ReadonlyMap<string, Uint8Array>; readonly signal?: AbortSignal | undefined } = {},
): Promise<Package> {
  const reader = new PackageReader()
  let begun = performance.now()
  for (const { name, text } of yaml)
    for (const document of yamlDocuments(text, name)) {
      reader.add(document)
      if (performance.now() - begun < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      begun = performance.now()
    }
  return reader.finish(files)
}

const SLICE_MS = 20

interface Placed {
  readonly place: string
  readonly object: KubeObject
}

/** Collects documents; what can be said about all of them together is checked at the end. */
class PackageReader {
  readonly #objects: Placed[] = []
  readonly #seen = new Map<string, string>()
  #metadata: Placed | undefined
  #documents = 0

  add({ place, value }: YamlDocument): void {
    if (++this.#documents > DEFAULT_LIMITS.documents)
      throw new PackageError('TooLarge', `the package has more than ${DEFAULT_LIMITS.documents} documents`)
    if (value === undefined || value === null) return
    const object = asKubeObject(value, place)
    if (parseGroupVersion(object.apiVersion).group === META_GROUP) {
      if (this.#metadata !== undefined)
        throw new PackageError(
          'Malformed',
          `${place}: a second metadata document; the first is ${this.#metadata.place}, and a package has exactly one`,
        )
      this.#metadata = { place, object }
      return
    }
    const identity = `${formatGroupKind(gvkOf(object))} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
    const before = this.#seen.get(identity)
    if (before !== undefined)
      throw new PackageError('Malformed', `${place}: ${object.kind} ${object.metadata.name} is in ${before} already`)
    this.#seen.set(identity, place)
    this.#objects.push({ place, object })
  }

  finish(files: ReadonlyMap<string, Uint8Array>): Package {
    const metadata = this.#metadata
    if (metadata === undefined)
      throw new PackageError(
        'Malformed',
        `the package has no metadata document: add one of kind Provider, Configuration or Function of ${META_GROUP}/v1 (crossplane.yaml)`,
      )
    const type = typeOf(metadata)
    for (const { place, object } of this.#objects)
      if (!mayCarry(type, object))
        throw new PackageError(
          'NotAllowed',
          `${place}: a ${type} package may not carry ${formatGroupKind(gvkOf(object))} (${object.metadata.name}); it may carry ${carriedBy(type)}`,
        )
    const spec = specOf(metadata)
    const crossplane = spec['crossplane']
    const constraint = isJsonObject(crossplane) ? textOr(crossplane['version'], metadata, 'spec.crossplane.version') : undefined
    return {
      type,
      name: metadata.object.metadata.name as string,
      metadata: metadata.object,
      objects: this.#objects.map(({ object }) => object),
      dependencies: dependenciesOf(spec, metadata),
      capabilities: listOf(spec['capabilities'], metadata, 'spec.capabilities').map((item) => textOf(item, metadata, 'spec.capabilities')),
      ...(constraint !== undefined && { crossplaneConstraint: constraint }),
      files,
    }
  }
}

function asKubeObject(value: unknown, place: string): KubeObject {
  const refuse = (why: string): never => {
    throw new PackageError('Malformed', `${place}: ${why}; every document must be an object with apiVersion, kind and metadata.name`)
  }
  if (!isJsonObject(value)) return refuse('this is not an object')
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string' || apiVersion === '') return refuse('apiVersion is missing')
  if (typeof kind !== 'string' || kind === '') return refuse('kind is missing')
  if (!isJsonObject(metadata)) return refuse(`${kind} has no metadata`)
  if (typeof metadata['name'] !== 'string' || metadata['name'] === '') return refuse(`${kind} has no metadata.name`)
  return value as unknown as KubeObject
}

function typeOf({ place, object }: Placed): PackageType {
  const { version } = parseGroupVersion(object.apiVersion)
  if (!META_VERSIONS.has(version))
    throw new PackageError('Unsupported', `${place}: version ${object.apiVersion} is not known; use ${META_GROUP}/v1`)
  if (object.kind === 'Provider' || object.kind === 'Configuration' || object.kind === 'Function') return object.kind
  throw new PackageError('Malformed', `${place}: a package is a Provider, a Configuration or a Function, not a ${object.kind}`)
}

function specOf({ place, object }: Placed): JsonObject {
  const spec = object['spec'] ?? {}
  if (!isJsonObject(spec)) throw new PackageError('Malformed', `${place}: spec must be an object`)
  return spec
}

/** Newer packages write `{apiVersion, kind, package, version}`, older ones `{provider: package, version}`. */
function dependenciesOf(spec: JsonObject, metadata: Placed): Dependency[] {
  return listOf(spec['dependsOn'], metadata, 'spec.dependsOn').map((entry, index) => {
    const field = `spec.dependsOn[${index}]`
    if (!isJsonObject(entry)) throw new PackageError('Malformed', `${metadata.place}: ${field} must be an object`)
    const version = textOr(entry['version'], metadata, `${field}.version`) ?? '*'
    if (entry['package'] !== undefined) {
      const kind = textOf(entry['kind'], metadata, `${field}.kind`)
      if (kind !== 'Provider' && kind !== 'Configuration' && kind !== 'Function')
        throw new PackageError('Malformed', `${metadata.place}: ${field}.kind must be Provider, Configuration or Function`)
      return { package: textOf(entry['package'], metadata, `${field}.package`), type: kind, version }
    }
    for (const [name, type] of [
      ['provider', 'Provider'],
      ['configuration', 'Configuration'],
      ['function', 'Function'],
    ] as const)
      if (entry[name] !== undefined) return { package: textOf(entry[name], metadata, `${field}.${name}`), type, version }
    throw new PackageError('Malformed', `${metadata.place}: ${field} must name a package: set provider, configuration, or kind and package`)
  })
}

function listOf(value: unknown, { place }: Placed, field: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new PackageError('Malformed', `${place}: ${field} must be a list`)
  return value
}

function textOf(value: unknown, { place }: Placed, field: string): string {
  if (typeof value !== 'string' || value === '') throw new PackageError('Malformed', `${place}: ${field} must be text`)
  return value
}

const textOr = (value: unknown, metadata: Placed, field: string): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : textOf(value, metadata, field)
