import { conditionOf } from '@weft/composition'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { startWorld, type World } from '../definition/world.fixture.ts'
import { startManagedDefinitionControllers } from '../managed-definition/start.ts'
import { startDefinitionControllers } from '../start-definition-controllers.ts'
import { startPackageControllers } from './controllers.ts'
import { diskStore } from './disk-store.ts'
import { type PackageObject, PACKAGE_LABEL, type PackageSort, type RevisionObject } from './kinds.ts'
import { NO_RUNTIME, type PackageRuntime } from './package-runtime.ts'
import type { PackageStore } from './package-store.ts'

/** A world with the package manager, and a folder for packages. */
export interface PackageWorld extends World {
  readonly directory: string
  /** Writes a package into a folder and answers its path. */
  pack(name: string, objects: readonly KubeObject[], files?: Readonly<Record<string, string>>): Promise<string>
  /** The same, in a registry that is not there: `registry.test/<name>:<version>`. */
  publish(name: string, version: string, objects: readonly KubeObject[]): Promise<string>
  install(sort: PackageSort, name: string, path: string, spec?: object): Promise<void>
  /** The package once it is healthy. */
  healthy(sort: PackageSort, name: string): Promise<PackageObject>
  /** Why it is not installed, or not healthy, once it says so in these words: what it says first may be that somebody else was writing. */
  refused(sort: PackageSort, name: string, words: string | RegExp): Promise<string>
  revisions(sort: PackageSort, name: string): Promise<readonly RevisionObject[]>
}

export interface PackageWorldOptions {
  readonly runtime?: PackageRuntime
  readonly store?: (store: PackageStore) => PackageStore
  readonly activations?: readonly string[]
}

export async function startPackageWorld({
  runtime = NO_RUNTIME,
  store = (same) => same,
  activations = [],
}: PackageWorldOptions = {}): Promise<PackageWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-packages-'))
  const published = new Map<string, string>()
  const onDisk = diskStore({ directory: join(directory, 'cache'), paths: { within: [directory] } })
  const packages = store({
    ...onDisk,
    versions: (repository) =>
      Promise.resolve(
        [...published.keys()].flatMap((image) => (image.startsWith(`${repository}:`) ? [image.slice(repository.length + 1)] : [])),
      ),
    async fetch(source, options) {
      const fetched = await onDisk.fetch(published.get(source) ?? source, options)
      return { ...fetched, ...onDisk.identify(source, fetched.digest) }
    },
  })
  let stopDefinitions: (() => Promise<void>) | undefined
  const world = await startWorld({
    async start(services) {
      await startManagedDefinitionControllers(services, { activations })
      stopDefinitions = await startDefinitionControllers(services)
      await startPackageControllers({ ...services, store: packages, runtime })
    },
  })
  const { client } = world
  const unhealthy = (object: KubeObject): string | undefined => {
    for (const type of ['Installed', 'Healthy']) {
      const condition = conditionOf(object, type)
      if (condition?.status === 'False' && condition.message !== undefined) return condition.message
    }
    return undefined
  }
  const self: PackageWorld = {
    ...world,
    directory,
    async pack(name, objects, files = {}) {
      const path = join(directory, name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      const [metadata, ...rest] = objects
      await writeFile(join(path, 'crossplane.yaml'), JSON.stringify(metadata))
      if (rest.length > 0) await writeFile(join(path, 'objects.yaml'), rest.map((object) => JSON.stringify(object)).join('\n---\n'))
      for (const [file, text] of Object.entries(files)) {
        await mkdir(dirname(join(path, file)), { recursive: true })
        await writeFile(join(path, file), text)
      }
      return path
    },
    async publish(name, version, objects) {
      const image = `registry.test/${name}:${version}`
      published.set(image, await self.pack(`published/${name}/${version}`, objects))
      return image
    },
    async install(sort, name, path, spec = {}) {
      const existing = await client.find(sort.kind, { name })
      if (existing === undefined) {
        const apiVersion = `${sort.kind.group}/${sort.kind.version}`
        await client.create({ apiVersion, kind: sort.kind.kind, metadata: { name }, spec: { package: path, ...spec } })
      } else await client.patch(sort.kind, { name }, { type: 'merge', body: { spec: { package: path, ...spec } } })
    },
    healthy: (sort, name) =>
      world.until(
        sort.kind,
        name,
        (object) =>
          conditionOf(object, 'Healthy')?.status === 'True' &&
          conditionOf(object, 'Installed')?.status === 'True' &&
          object.status?.currentIdentifier === object.spec.package,
      ),
    refused: async (sort, name, words) => {
      const says = (object: PackageObject): boolean => {
        const why = unhealthy(object) ?? ''
        return typeof words === 'string' ? why.includes(words) : words.test(why)
      }
      return unhealthy(await world.until(sort.kind, name, says)) ?? ''
    },
    revisions: async (sort, name) =>
      (await client.list(sort.revisionKind, { labels: { matchLabels: { [PACKAGE_LABEL]: name } } })).items.toSorted(
        (a, b) => a.spec.revision - b.spec.revision,
      ),
    async stop() {
      await stopDefinitions?.()
      await world.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return self
}

export const providerMeta = (name: string, spec: object = { capabilities: ['late-mr-activation'] }): KubeObject => ({
  apiVersion: 'meta.pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: { name },
  spec,
})

export const configurationMeta = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: 'meta.pkg.crossplane.io/v1',
  kind: 'Configuration',
  metadata: { name },
  spec,
})

/** A managed kind as providers of Crossplane package it. */
export const packagedKind = (
  group: string,
  kind: string,
  { categories = ['managed'], description = 'A kind.' }: { readonly categories?: readonly string[]; readonly description?: string } = {},
): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List`, categories },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})
