import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type KubeObject } from '@weft/api'
import { parseAllDocuments } from 'yaml'

/** What a provider ships besides code: its metadata, and the objects that installing it creates. */
export interface ProviderPackage {
  /** `meta.pkg.crossplane.io/v1 Provider`: name, capabilities. */
  readonly metadata: KubeObject
  /** ManagedResourceDefinitions, class kinds (CustomResourceDefinitions), binding rows, reference targets. */
  readonly objects: readonly KubeObject[]
}

/** The package cannot be read; a mistake of its author. */
export class PackageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PackageError'
  }
}

const METADATA_FILE = 'crossplane.yaml'

/**
 * Reads the package of a provider: `crossplane.yaml` and every other YAML file, of the folder `package` beside `src`. In a bundle, whose
 * code is elsewhere, it is `packages/<name>` beside the bundle. A module that was installed as part of a package needs none of it: the
 * objects are in the control plane already.
 */
export function loadPackage(moduleUrl: string, name: string): ProviderPackage {
  const places = ['../package/', `./packages/${name}/`].map((place) => fileURLToPath(new URL(place, moduleUrl)))
  const directory = places.find((place) => existsSync(`${place}${METADATA_FILE}`))
  if (directory === undefined && process.env[INSTALLED] === 'true') return installed(name)
  if (directory === undefined) throw new PackageError(`provider ${name}: there is no ${METADATA_FILE} in ${places.join(' or ')}`)
  const [metadata] = readObjects(`${directory}${METADATA_FILE}`)
  if (metadata === undefined) throw new PackageError(`provider ${name}: ${METADATA_FILE} is empty`)
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ya?ml$/.test(file) && file !== METADATA_FILE,
  )
  return { metadata, objects: files.toSorted().flatMap((file) => readObjects(`${directory}${file}`)) }
}

/** Set for the process of a provider whose package is installed. */
const INSTALLED = 'WEFT_PROVIDER_INSTALLED'

const installed = (name: string): ProviderPackage => ({
  metadata: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name } },
  objects: [],
})

function readObjects(path: string): KubeObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new PackageError(`${path}: ${error.message}`, { cause: error })
    const value: unknown = document.toJS()
    if (value === null || value === undefined) return []
    if (!isKubeObject(value)) throw new PackageError(`${path}: every document must be an object with apiVersion, kind and metadata`)
    return [value]
  })
}

const isKubeObject = (value: unknown): value is KubeObject =>
  isJsonObject(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string' && isJsonObject(value['metadata'])
