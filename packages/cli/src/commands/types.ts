import type { KubeObject } from '@weft/api'
import { customResourceDefinitionKind, NoMatchError, type StaticKind, type Transport } from '@weft/client'
import { typeSource } from '@weft/composition'
import { infrastructureDefinitionKind, infrastructurePublicationKind, managedResourceDefinitionKind } from '@weft/controllers'
import { BUNDLED_PROVIDERS, loadProviders } from '@weft/controlplane'
import { Command } from 'commander'
import { type ClusterOptions, withCluster, withClusterOptions } from '../cluster/index.ts'
import { readManifests } from '../manifests/index.ts'
import { CommandFailure } from '../report.ts'
import type { Run } from '../run.ts'
import { wholeDefinition } from './explain/managed-definitions.ts'
import { definedKinds, typedKinds } from '../typescript/kinds-of.ts'
import { writeOutput } from '../typescript/write-output.ts'

interface TypesOptions extends ClusterOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly provider?: readonly string[]
  readonly kind?: readonly string[]
  readonly output?: string
}

export const typesCommand = (run: Run): Command =>
  withClusterOptions(new Command('types'))
    .description(
      'Write TypeScript types for kinds, for use in compositions. Kinds come from files and from packages of providers; without either, or when a server is named, from the server.',
    )
    .option('-f, --filename <paths...>', 'files and directories with definitions, publications and CustomResourceDefinitions')
    .option('-R, --recursive', 'include subdirectories')
    .option('--provider <names...>', `kinds of a bundled provider, of ${BUNDLED_PROVIDERS.join(', ')}`)
    .option('--kind <names...>', 'only these kinds: Database, or Database.example.org')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .addHelpText('after', '\nExample:\n  weft types -f definitions.yaml --provider postgresql -o types.ts')
    .action((options: TypesOptions) => run(() => types(options)))

async function types(options: TypesOptions): Promise<number> {
  const { filename = [], provider = [] } = options
  const files = filename.length > 0 ? await readManifests(filename, { recursive: options.recursive }) : []
  const packages = await loadProviders(provider)
  const fromServer = filename.length + provider.length === 0 || namesServer(options)
  const objects = [
    ...files.map(({ object }) => object),
    ...packages.flatMap(({ package: { objects: contents } }) => contents),
    ...(fromServer
      ? await withCluster(options, async ({ client, transport }) =>
          (
            await Promise.all((await definitionsOf((kind) => client.list(kind))).map((object) => filledIn(transport, object, options.kind)))
          ).filter((object) => !isStub(object)),
        )
      : []),
  ]
  const all = typedKinds(definedKinds(objects))
  const wanted = chosen(all, options.kind)
  if (wanted.length === 0) throw new CommandFailure('no kinds are defined there: name the files of definitions with -f')
  await writeOutput(typeSource(wanted), options.output)
  if (options.output !== undefined)
    process.stderr.write(`wrote types of ${wanted.length} ${wanted.length === 1 ? 'kind' : 'kinds'} to ${options.output}\n`)
  return 0
}

/** Kinds of Terraform providers that are not active have their schema where it is asked for: those that are named, not thousands. */
async function filledIn(transport: Transport, object: KubeObject, names: readonly string[] | undefined): Promise<KubeObject> {
  const { names: own = {}, group, versions } = (object['spec'] ?? {}) as { names?: { kind?: string }; group?: string; versions?: unknown }
  const isNamed = names?.some((name) => name === own.kind || name === `${own.kind ?? ''}.${group ?? ''}`) === true
  if (!isNamed || object.kind !== managedResourceDefinitionKind.kind || versions !== undefined) return object
  return (await wholeDefinition(transport, object)) ?? object
}

/** A definition whose schema nobody asked for. */
const isStub = ({ kind, spec }: KubeObject & { readonly spec?: unknown }): boolean =>
  kind === managedResourceDefinitionKind.kind && (spec as { readonly versions?: unknown } | undefined)?.versions === undefined

const namesServer = ({ kubeconfig, context, dataDir }: ClusterOptions): boolean =>
  kubeconfig !== undefined || context !== undefined || dataDir !== undefined

type List = (kind: StaticKind) => Promise<{ readonly items: readonly KubeObject[] }>

/** CustomResourceDefinitions have every schema; the others have connection details, and the kinds that are not active. */
async function definitionsOf(list: List): Promise<readonly KubeObject[]> {
  const kinds = [
    infrastructureDefinitionKind,
    infrastructurePublicationKind,
    managedResourceDefinitionKind,
    customResourceDefinitionKind,
  ] as readonly StaticKind[]
  const lists = await Promise.all(kinds.map((kind) => listIfServed(list, kind)))
  return lists.flat()
}

/** On a Kubernetes cluster without Weft there are only CustomResourceDefinitions. Items of a list say neither apiVersion nor kind. */
async function listIfServed(list: List, kind: StaticKind): Promise<readonly KubeObject[]> {
  try {
    const { items } = await list(kind)
    return items.map((item) => ({ ...item, apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind }))
  } catch (error) {
    if (error instanceof NoMatchError || (error as { code?: unknown }).code === 404) return []
    throw error
  }
}

function chosen<T extends { readonly kind: string; readonly group: string }>(
  all: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  if (names === undefined) return all
  return names.flatMap((name) => {
    const found = all.filter(({ kind, group }) => kind === name || `${kind}.${group}` === name)
    if (found.length === 0) {
      const known = [...new Set(all.map(({ kind }) => kind))].toSorted().slice(0, 10).join(', ')
      throw new CommandFailure(`there is no kind ${name}; there is ${known === '' ? 'none at all' : known}`)
    }
    return found
  })
}
