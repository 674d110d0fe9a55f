/** Files of a new provider, by path. It works as it is: each Widget is a file in the provider's own folder. */
export function providerTemplate(name: string): ReadonlyMap<string, string> {
  const group = `${name.replace(/^provider-/, '')}.example.org`
  return new Map([
    ['README.md', readme(name)],
    ['package.json', packageJson(name)],
    ['tsconfig.json', TSCONFIG],
    ['.gitignore', 'node_modules/\npackage/provider.mjs\n*.xpkg\n'],
    ['src/provider.ts', MAIN],
    ['src/widget-provider.ts', providerSource(name, group)],
    ['src/widget-provider.test.ts', providerTest(group)],
    ['src/widget-client.ts', CLIENT],
    ['src/widget-client.test.ts', CLIENT_TEST],
    ['package/crossplane.yaml', metadata(name)],
    ['package/managed/widgets.yaml', definition(group)],
    ['examples/widget.yaml', example(group)],
  ])
}

const readme = (name: string): string => `# ${name}

A provider for Weft. As it is, each Widget is a file in the provider's own folder: put the system that you manage in its place.

| file | what it is |
|---|---|
| \`src/widget-client.ts\` | the four calls about one widget: observe, create, update, delete |
| \`src/widget-provider.ts\` | which kinds there are, and what manages them |
| \`src/provider.ts\` | what the control plane runs |
| \`src/*.test.ts\` | tests of the calls, and of the whole provider by the conformance suite |
| \`package/\` | what installing the package creates: its kinds, and the module that is built from \`src\` |
| \`examples/\` | how it is used; not part of the package |

With \`weft up\` running (in this folder, or with \`--package-path\` and this folder):

    weft package dev .                        # builds and installs it, and again whenever a file changes
    weft apply -f examples/widget.yaml
    weft wait --for=condition=Ready widget/example
    weft logs ${name} --follow

Your editor, \`npm run check\` and \`npm test\` need \`@weft/provider-sdk\` and \`@weft/testing\`, which are not published yet: install the tarballs that
\`npm run pack -- npm\` makes in \`dist/npm\` of a clone of Weft, then \`npm install\`.

When it is ready for others:

    weft package build .                      # one file, ${name}.xpkg
    weft package push -f ${name}.xpkg registry.example.org/team/${name}:v0.1.0
`

const packageJson = (name: string): string => `${JSON.stringify(
  {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: { check: 'tsc', test: 'node --import tsx --test src/*.test.ts', build: 'weft package build .' },
    devDependencies: { '@types/node': '^20', tsx: '^4', typescript: '^5' },
  },
  undefined,
  2,
)}
`

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
    },
    include: ['src'],
  },
  undefined,
  2,
)}
`

const MAIN = `import { runProvider } from '@weft/provider-sdk'
import { widgetProvider } from './widget-provider.ts'

// The folder is this provider's own, and is kept over upgrades.
await runProvider(widgetProvider(process.env['WEFT_PROVIDER_DATA_DIR'] ?? '.'))
`

const providerSource = (
  name: string,
  group: string,
): string => `import { defineProvider, loadPackage, managedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { widgetClient } from './widget-client.ts'

/** A provider whose widgets are files in a folder. */
export function widgetProvider(folder: string): ProviderDefinition {
  const client = widgetClient(folder)
  return defineProvider({
    name: '${name}',
    package: loadPackage(import.meta.url, '${name}'),
    kinds: [
      managedKind({
        group: '${group}',
        kind: 'Widget',
        connector: { connect: () => Promise.resolve(client) },
        // What was just written can be read: no need to doubt what observe says after a create.
        creationGraceMs: 0,
      }),
    ],
  })
}
`

const providerTest = (group: string): string => `import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ConformanceSubject, conformanceCases, openWorld, type World } from '@weft/provider-sdk'
import { startTestServer, type TestServer } from '@weft/testing'
import { widgetProvider } from './widget-provider.ts'

const folder = await mkdtemp(join(tmpdir(), 'widgets-'))
const fileOf = (name: string) => join(folder, \`\${name}.json\`)
const colorOf = async (name: string): Promise<unknown> => JSON.parse(await readFile(fileOf(name), 'utf8')).color
const paint = (name: string, color: string) => writeFile(fileOf(name), JSON.stringify({ color }))

const widget = (name: string, color: string) => ({
  apiVersion: '${group}/v1alpha1',
  kind: 'Widget',
  metadata: { name },
  spec: { forProvider: { color }, writeConnectionSecretToRef: { namespace: 'conformance', name: \`\${name}-connection\` } },
})

/** What the suite has to know: how a widget is asked for, and how to look at the real one behind the provider's back. */
const subject: ConformanceSubject = {
  resource: (name) => widget(name, 'green'),
  change: ({ metadata }) => widget(metadata.name ?? '', 'blue'),
  connectionKeys: ['endpoint'],
  external: {
    count: (name) => colorOf(name).then(() => 1, () => 0),
    matches: async ({ metadata, spec }) =>
      (await colorOf(metadata.name ?? '')) === (spec as { forProvider: { color: string } }).forProvider.color,
    drift: (name) => paint(name, 'grey'),
    make: ({ metadata }) => paint(metadata.name ?? '', 'green'),
    remove: (name) => rm(fileOf(name), { force: true }),
  },
}

describe('the provider, by the conformance suite', () => {
  let server: TestServer
  let world: World
  before(async () => {
    server = await startTestServer()
    world = await openWorld({ client: server.client, provider: widgetProvider(folder), dataDir: folder })
  })
  after(async () => {
    await world.stop()
    await server.close()
    await rm(folder, { recursive: true })
  })
  for (const [name, run] of conformanceCases(subject)) test(name, () => run(world, subject))
})
`

const CLIENT = `import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExternalClient, ExternalError, parametersOf } from '@weft/provider-sdk'

/** Widgets that are files in a folder. */
export function widgetClient(folder: string): ExternalClient {
  // Somebody chooses the name: it must not lead out of the folder.
  const fileOf = (name: string): string => join(folder, \`\${encodeURIComponent(name)}.json\`)
  return {
    async observe(resource, { externalName }) {
      const text = await readFile(fileOf(externalName), 'utf8').catch(ifMissing)
      if (text === undefined) return { exists: false }
      const { color } = JSON.parse(text) as { color: string }
      return {
        exists: true,
        upToDate: color === parametersOf(resource)['color'],
        difference: 'color',
        readiness: 'available',
        atProvider: { color },
        connection: { endpoint: fileOf(externalName) },
      }
    },
    async create(resource, { externalName }) {
      try {
        await writeFile(fileOf(externalName), contentsFor(resource), { flag: 'wx' })
      } catch (error) {
        if (codeOf(error) === 'EEXIST') throw new ExternalError('AlreadyExists', \`there is a widget \${externalName} already\`)
        throw error
      }
      return {}
    },
    async update(resource, { externalName }) {
      await writeFile(fileOf(externalName), contentsFor(resource))
      // Shown at once, and not only when it is looked at the next time.
      return { atProvider: wantedOf(resource) }
    },
    async delete(_resource, { externalName }) {
      await rm(fileOf(externalName), { force: true })
    },
  }
}

type Resource = Parameters<typeof parametersOf>[0]

const wantedOf = (resource: Resource) => ({ color: parametersOf(resource)['color'] })

const contentsFor = (resource: Resource): string => JSON.stringify(wantedOf(resource))

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

function ifMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
`

const CLIENT_TEST = `import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CallContext } from '@weft/provider-sdk'
import { widgetClient } from './widget-client.ts'

const widget = (color: string) => ({ apiVersion: 'v1', kind: 'Widget', metadata: { name: 'one' }, spec: { forProvider: { color } } })
const context = { externalName: 'one' } as CallContext

test('a widget is made, found, changed and removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'widgets-'))
  try {
    const client = widgetClient(folder)
    assert.deepEqual(await client.observe(widget('green'), context), { exists: false })
    await client.create(widget('green'), context)
    await assert.rejects(client.create(widget('green'), context), { code: 'AlreadyExists' })
    const [same, other] = [await client.observe(widget('green'), context), await client.observe(widget('blue'), context)]
    assert.equal(same.exists && same.upToDate, true)
    assert.equal(other.exists && other.upToDate, false)
    await client.update(widget('blue'), context)
    await client.delete(widget('blue'), context)
    await client.delete(widget('blue'), context)
    assert.deepEqual(await client.observe(widget('blue'), context), { exists: false })
  } finally {
    await rm(folder, { recursive: true })
  }
})
`

const metadata = (name: string): string => `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: ${name}
  annotations:
    meta.crossplane.io/description: Say in one sentence what this manages.
    meta.crossplane.io/license: Apache-2.0
    # What is run; made from src/provider.ts.
    pkg.weft.dev/module: provider.mjs
spec:
  # Kinds wait until an activation policy names them; without this they are all active at once.
  capabilities:
  - late-mr-activation
`

const definition = (group: string): string => `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: widgets.${group}
spec:
  group: ${group}
  names:
    categories: [crossplane, managed]
    kind: Widget
    listKind: WidgetList
    plural: widgets
    singular: widget
  scope: Cluster
  connectionDetails:
  - name: endpoint
    description: Where the widget is reached.
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources:
      status: {}
    additionalPrinterColumns:
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
    - {name: Synced, type: string, jsonPath: '.status.conditions[?(@.type=="Synced")].status'}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        description: A widget.
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [forProvider]
            x-kubernetes-preserve-unknown-fields: true
            properties:
              # Without a default, deleting a Widget would leave the real one behind.
              deletionPolicy: {type: string, enum: [Delete, Orphan], default: Delete}
              forProvider:
                type: object
                required: [color]
                properties:
                  color: {type: string}
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
`

const example = (group: string): string => `# How it is used; not part of the package.
apiVersion: ${group}/v1alpha1
kind: Widget
metadata:
  name: example
spec:
  forProvider:
    color: green
`
