import { messageOf } from '@weft/api'
import { readFile } from 'node:fs/promises'
import { readStateFile, sharedIds, type StateFile, StateFileError, type StateResource } from '@weft/terraform'
import { type Cluster, type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatYaml } from '../../output/format-yaml.ts'
import { formatJson, formatTable } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure, style } from '../../report.ts'
import { activateKinds } from '../provider/activate.ts'
import { offeredKinds } from '../provider/terraform-provider.ts'
import { listed } from './listed.ts'
import { bringIn } from './bring-in.ts'
import { matchKinds, type Matched } from './match-kinds.ts'
import { type Imported, manifestsOf } from './manifests.ts'
import { takeOver } from './take-over.ts'

export interface ImportOptions extends ClusterOptions {
  readonly dryRun?: boolean
  readonly output?: 'yaml' | 'json'
  readonly only?: readonly string[]
  readonly prefix?: string
  readonly providerConfig?: readonly string[]
  readonly secretNamespace: string
  readonly takeOver?: boolean
  readonly acceptChanges?: boolean
  readonly timeout: number
}

/** From a state file to managed resources that look at what it holds; or, of those, to ones that manage it. */
export async function importTerraform(path: string, options: ImportOptions): Promise<number> {
  const file = await read(path)
  const resources = file.resources.filter(({ address }) => isChosen(address, options.only))
  if (resources.length === 0) throw new CommandFailure(nothingIn(path, file, options))
  return withCluster(options, async (cluster) => {
    const { matched, left } = await matchKinds(cluster, resources)
    const imported = await withProgress('reading the states', () =>
      manifestsOf(cluster, matched, { ...options, shared: sharedIds(file.resources) }),
    )
    const problems = [...file.left, ...left, ...imported.left]
    const code = await carryOut(cluster, { lineage: file.lineage, matched, imported: imported.resources, options })
    for (const problem of problems) process.stderr.write(`${style('yellow', 'left out')}: ${problem}\n`)
    const matters = [...left, ...imported.left].length > 0
    return code === 0 && matters ? 1 : code
  })
}

interface Work {
  readonly lineage: string | undefined
  readonly matched: readonly Matched[]
  readonly imported: readonly Imported[]
  readonly options: ImportOptions
}

async function carryOut(cluster: Cluster, { lineage, matched, imported, options }: Work): Promise<number> {
  for (const [note, addresses] of byNote(imported)) process.stderr.write(`${style('yellow', 'note')}: ${listed(addresses)}: ${note}\n`)
  if (options.takeOver === true) return takeOver(cluster, imported, options)
  if (options.output !== undefined) {
    printManifests(imported, options.output)
    return 0
  }
  const rows = imported.map(({ resource, object, kind }) => [resource.address, kind.kind, object.metadata.name ?? ''])
  if (options.dryRun === true) {
    process.stdout.write(formatTable([['ADDRESS', 'KIND', 'NAME'], ...rows]))
    const inactive = [...new Set(matched.flatMap(({ kind }) => (kind.active ? [] : [kind.kind])))]
    if (inactive.length > 0) process.stdout.write(`\nkinds that would be activated: ${inactive.join(', ')}\n`)
    process.stdout.write(`${imported.length} to import; nothing was written\n`)
    return 0
  }
  await activate(cluster, matched, options.timeout)
  return bringIn(cluster, imported, { lineage })
}

/** What is to be said of several resources is said once. */
function byNote(imported: readonly Imported[]): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  for (const { resource, notes } of imported)
    for (const note of notes) addresses.set(note, [...(addresses.get(note) ?? []), resource.address])
  return addresses
}

/** The kinds that there are resources of. */
async function activate(cluster: Cluster, matched: readonly Matched[], timeoutMs: number): Promise<void> {
  const wanted = new Map<string, Set<string>>()
  for (const { kind } of matched) {
    if (kind.active) continue
    wanted.set(kind.provider, (wanted.get(kind.provider) ?? new Set()).add(kind.definition))
  }
  for (const [name, definitions] of wanted)
    await activateKinds(cluster, { name, kinds: await offeredKinds(cluster.client, name), asked: [...definitions], timeoutMs })
}

function printManifests(imported: readonly Imported[], format: 'yaml' | 'json'): void {
  if (format === 'json') process.stdout.write(formatJson({ apiVersion: 'v1', kind: 'List', items: imported.map(({ object }) => object) }))
  else
    process.stdout.write(
      imported
        .map(({ object, secret }) => {
          const about =
            secret === undefined
              ? ''
              : `# Secret ${secret.namespace}/${secret.name} (${Object.keys(secret.data).join(', ')}) is created by the import; its values are not shown.\n`
          return `---\n${about}${formatYaml(object)}`
        })
        .join(''),
    )
}

async function read(path: string): Promise<StateFile> {
  let text: string
  try {
    text = path === '-' ? await standardInput() : await readFile(path, 'utf8')
  } catch (cause) {
    throw new CommandFailure(`${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
  try {
    return readStateFile(text)
  } catch (cause) {
    if (!(cause instanceof StateFileError)) throw cause
    throw new CommandFailure(`${path} cannot be imported: ${cause.message}`, { cause })
  }
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** A resource, all instances of one, or everything in a module. */
const isChosen = (address: StateResource['address'], only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((each) => address === each || address.startsWith(`${each}.`) || address.startsWith(`${each}[`))

function nothingIn(path: string, { resources, left }: StateFile, { only }: ImportOptions): string {
  if (only !== undefined && resources.length > 0)
    return `${path} contains nothing that --only names; it contains ${resources
      .slice(0, 5)
      .map(({ address }) => address)
      .join(', ')}${resources.length > 5 ? ` and ${resources.length - 5} more` : ''}`
  return `${path} contains no resources that can be managed${left[0] === undefined ? '' : `: ${left[0]}`}`
}
