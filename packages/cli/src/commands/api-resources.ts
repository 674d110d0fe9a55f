import type { ServedKind } from '@weft/client'
import { Command } from 'commander'
import { type ClusterOptions, withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'

interface ApiResourcesOptions extends ClusterOptions {
  readonly apiGroup?: string
  readonly categories?: string
  readonly namespaced?: boolean
  readonly verbs?: string
  readonly output?: string
  readonly sortBy?: string
  readonly headers: boolean
}

export const apiResourcesCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('api-resources')
      .description('List the kinds that the server serves, with their short names.')
      .option('--api-group <group>', 'only kinds of this group')
      .option('--categories <names>', 'only kinds in all these categories')
      .option('--namespaced', 'only namespaced kinds')
      .option('--no-namespaced', 'only kinds that are not namespaced')
      .option('--verbs <verbs>', 'only kinds with all these verbs: list,get')
      .option('-o, --output <format>', 'wide (verbs and categories, too) or name')
      .option('--sort-by <column>', 'name or kind')
      .option('--no-headers', 'omit the header line'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  weft api-resources --categories=managed\n  weft api-resources --api-group=database.crossplane.io -o wide',
    )
    .action((options: ApiResourcesOptions) => run(() => apiResources(options)))

async function apiResources(options: ApiResourcesOptions): Promise<number> {
  const { withCluster } = await import('../cluster/cluster.ts')
  const { formatTable } = await import('../output/format-table.ts')
  const { CommandFailure } = await import('../report.ts')
  const { output } = options
  if (output !== undefined && output !== 'wide' && output !== 'name') throw new CommandFailure('-o is wide or name')
  if (options.sortBy !== undefined && options.sortBy !== 'name' && options.sortBy !== 'kind')
    throw new CommandFailure('--sort-by is name or kind')
  return withCluster(options, async ({ kinds }) => {
    const shown = sorted(
      preferred(await kinds.all()).filter((kind) => isWanted(kind, options)),
      options.sortBy,
    )
    if (output === 'name') process.stdout.write(shown.map(({ plural, group }) => `${plural}${group === '' ? '' : `.${group}`}\n`).join(''))
    else
      process.stdout.write(
        formatTable([...(options.headers ? [header(output === 'wide')] : []), ...shown.map((kind) => rowOf(kind, output === 'wide'))]),
      )
    return 0
  })
}

/** One line per kind, in the version that the server prefers. */
const preferred = (kinds: readonly ServedKind[]): readonly ServedKind[] => {
  const first = new Map<string, ServedKind>()
  for (const kind of kinds) if (!first.has(`${kind.group} ${kind.plural}`)) first.set(`${kind.group} ${kind.plural}`, kind)
  return [...first.values()]
}

function isWanted(kind: ServedKind, { apiGroup, categories, namespaced, verbs }: ApiResourcesOptions): boolean {
  if (apiGroup !== undefined && kind.group !== apiGroup) return false
  if (namespaced !== undefined && kind.namespaced !== namespaced) return false
  if (categories !== undefined && !categories.split(',').every((category) => kind.categories.includes(category))) return false
  return verbs === undefined || verbs.split(',').every((verb) => kind.verbs.includes(verb))
}

function sorted(kinds: readonly ServedKind[], by: string | undefined): readonly ServedKind[] {
  const keyOf = (kind: ServedKind): string => (by === 'kind' ? kind.kind : by === 'name' ? kind.plural : `${kind.group} ${kind.plural}`)
  return [...kinds].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const header = (wide: boolean): string[] => [
  'NAME',
  'SHORTNAMES',
  'APIVERSION',
  'NAMESPACED',
  'KIND',
  ...(wide ? ['VERBS', 'CATEGORIES'] : []),
]

const rowOf = ({ plural, shortNames, group, version, namespaced, kind, verbs, categories }: ServedKind, wide: boolean): string[] => [
  plural,
  shortNames.join(','),
  group === '' ? version : `${group}/${version}`,
  String(namespaced),
  kind,
  ...(wide ? [verbs.join(','), categories.join(',')] : []),
]
