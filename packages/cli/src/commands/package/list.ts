import type { KubeObject } from '@weft/api'
import { BUNDLED } from '@weft/controllers'
import { parseSource } from '@weft/xpkg'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatAge, formatTable } from '../../output/index.ts'
import { conditionOf, PACKAGE_GROUP, PACKAGE_TYPES } from './package-object.ts'

export interface ListOptions extends ClusterOptions {
  readonly headers: boolean
}

const COLUMNS = ['NAME', 'TYPE', 'INSTALLED', 'HEALTHY', 'PACKAGE', 'VERSION', 'AGE']

export async function list(options: ListOptions): Promise<number> {
  const rows = await withCluster(options, async ({ client }) => {
    const listOf = async (kind: string): Promise<readonly KubeObject[]> => (await client.list({ group: PACKAGE_GROUP, kind })).items
    const found: string[][] = []
    for (const type of PACKAGE_TYPES) {
      const packages = await listOf(type)
      const revisions = packages.length === 0 ? [] : await listOf(`${type}Revision`)
      const digests = new Map(
        revisions.map((revision) => [revision.metadata.name, (revision['spec'] as { digest?: string } | undefined)?.digest]),
      )
      for (const each of packages) found.push(rowOf(each, type, digests))
    }
    return found
  })
  if (rows.length === 0) process.stderr.write('No packages found; install one with `weft package install`\n')
  else process.stdout.write(formatTable(options.headers ? [COLUMNS, ...rows] : rows))
  return 0
}

function rowOf(object: KubeObject, type: string, digests: ReadonlyMap<string | undefined, string | undefined>): string[] {
  const { package: text = '' } = (object['spec'] ?? {}) as { package?: string }
  const { currentRevision } = (object['status'] ?? {}) as { currentRevision?: string }
  const { place, version } = split(text)
  return [
    object.metadata.name ?? '',
    type,
    conditionOf(object, 'Installed')?.status ?? '',
    conditionOf(object, 'Healthy')?.status ?? '',
    place,
    version ?? short(digests.get(currentRevision)) ?? '',
    formatAge(object.metadata.creationTimestamp),
  ]
}

/** The tag; what has none is known by the beginning of its digest. */
function split(text: string): { place: string; version: string | undefined } {
  // It came with the control plane, and changes with it.
  if (text.startsWith(BUNDLED)) return { place: text, version: undefined }
  try {
    const source = parseSource(text)
    if (source.kind === 'path') return { place: source.path, version: short(source.digest) }
    const { registry, repository, tag, digest } = source.image
    return { place: `${registry}/${repository}`, version: tag ?? short(digest) }
  } catch {
    // The server shows why it cannot be installed; here it is shown as it is.
    return { place: text, version: undefined }
  }
}

const short = (digest: string | undefined): string | undefined => digest?.slice(0, 'sha256:'.length + 12)
