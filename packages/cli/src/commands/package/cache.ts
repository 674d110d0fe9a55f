import { existsSync } from 'node:fs'
import { type CacheContents, packageCache } from '@weft/controlplane'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatSize, formatTable } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { PACKAGE_GROUP, PACKAGE_TYPES } from './package-object.ts'

export interface CacheOptions extends ClusterOptions {
  readonly prune?: boolean
}

const DATA_DIR = '.weft'

/** What is kept of packages, and how large it is. */
export async function cache(options: CacheOptions): Promise<number> {
  const { dataDir = DATA_DIR } = options
  if (options.prune === true) await prune({ dataDir })
  const { packages, programBytes } = await contentsOf(dataDir)
  if (packages.length > 0)
    process.stdout.write(
      formatTable([
        ['PACKAGE', 'TYPE', 'SIZE', 'DIGEST'],
        ...packages.map(({ name, type, bytes, digest }) => [name, type, formatSize(bytes), digest.slice(0, 'sha256:'.length + 12)]),
      ]),
    )
  const total = packages.reduce((sum, { bytes }) => sum + bytes, 0)
  process.stdout.write(`${packages.length} packages, ${formatSize(total)}; what their images run, ${formatSize(programBytes)}\n`)
  return 0
}

/** Removes what no revision of the control plane names that keeps it: no other is asked. */
async function prune(options: { readonly dataDir: string }): Promise<void> {
  const before = await contentsOf(options.dataDir)
  const wanted = await withCluster({ dataDir: options.dataDir }, async ({ client }) => {
    const digests = new Set<string>()
    for (const type of PACKAGE_TYPES)
      for (const revision of (await client.list({ group: PACKAGE_GROUP, kind: `${type}Revision` })).items) {
        const { digest } = (revision['spec'] ?? {}) as { digest?: string }
        if (digest !== undefined) digests.add(digest)
      }
    return digests
  })
  await packageCache(options.dataDir).prune(wanted)
  const after = await contentsOf(options.dataDir)
  const freed = bytesOf(before) - bytesOf(after)
  process.stdout.write(`removed ${before.packages.length - after.packages.length} packages, ${formatSize(Math.max(0, freed))}\n`)
  const young = after.packages.filter(({ digest }) => !wanted.has(digest)).length
  if (young > 0) process.stderr.write(`${young} more may go soon: they came within the last ten minutes\n`)
}

async function contentsOf(dataDir: string): Promise<CacheContents> {
  if (!existsSync(dataDir)) throw new CommandFailure(`there is no data directory ${dataDir}: --data-dir names the one of \`weft up\``)
  return packageCache(dataDir).look()
}

const bytesOf = ({ packages, programBytes }: CacheContents): number => packages.reduce((sum, { bytes }) => sum + bytes, programBytes)
