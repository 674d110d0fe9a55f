import { lockOwner } from '@weft/apiserver'
import { newerKinds, NewerKindsError } from '@weft/controlplane'
import { messageOf, parseMetrics, type Sample, singleValue } from '@weft/api'
import { join } from 'node:path'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { readConsoleFile } from '../../console/console-file.ts'
import { formatDuration, formatJson, formatSize } from '../../output/index.ts'
import { serverVersion } from '../../server-version.ts'
import { countObjects, formatCounts, type ObjectCounts } from './count-objects.ts'
import { formatProgramIsolation, readProgramIsolation } from './program-isolation.ts'
import { formatPostgresqlIsolation, type PostgresqlIsolation, readPostgresqlIsolation } from './postgresql-isolation.ts'

export interface StatusOptions extends ClusterOptions {
  readonly output?: string
}

interface ServerStatus extends ObjectCounts {
  readonly address: string
  readonly ready: boolean
  readonly problems: readonly string[]
  readonly version: string
  readonly process?: { readonly pid: number; readonly dataDir: string }
  /** Of the web console beside it; `weft open` signs in. */
  readonly console?: string
  readonly uptimeSeconds?: number
  readonly memoryBytes?: number
  readonly storageBytes?: number
  readonly objects?: number
  /** PostgreSQL servers on the machine of the control plane, by how they are kept apart from it and from each other. */
  readonly postgresql?: PostgresqlIsolation
  /** Programs of packages on that machine, by what keeps them apart from it. */
  readonly programs?: Readonly<Record<string, number>>
}

export async function status(options: StatusOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const found = await read(cluster)
    if (options.output === 'json') process.stdout.write(formatJson(found))
    else if (options.output === 'yaml') process.stdout.write((await import('../../output/format-yaml.ts')).formatYaml(found))
    else process.stdout.write(formatStatus(found))
    return found.ready ? 0 : 1
  })
}

async function read(cluster: Cluster): Promise<ServerStatus> {
  const { dataDir } = cluster.location
  const [health, newer, version, samples, counts, postgresql, programs, console] = await Promise.all([
    readHealth(cluster),
    newerKinds(cluster.client),
    readVersion(cluster),
    readMetrics(cluster),
    countObjects(cluster),
    readPostgresqlIsolation(cluster),
    readProgramIsolation(cluster),
    dataDir === undefined ? undefined : readConsoleFile(dataDir),
  ])
  const owner = dataDir === undefined ? undefined : lockOwner(join(dataDir, 'storage'))
  const started = singleValue(samples, 'process_start_time_seconds')
  return {
    address: cluster.server,
    ...(newer.length === 0 ? health : { ready: false, problems: [...health.problems, new NewerKindsError(newer).message] }),
    version,
    ...counts,
    ...(postgresql !== undefined && { postgresql }),
    ...(programs !== undefined && { programs: Object.fromEntries(programs) }),
    ...(owner !== undefined && dataDir !== undefined && { process: { pid: owner.pid, dataDir } }),
    // A process that was killed leaves its file behind.
    ...(owner !== undefined && console !== undefined && { console: console.address }),
    ...optional('uptimeSeconds', started === undefined ? undefined : Math.max(0, Math.round(Date.now() / 1000 - started))),
    ...optional('memoryBytes', singleValue(samples, 'process_resident_memory_bytes')),
    ...optional('storageBytes', singleValue(samples, 'apiserver_storage_size_bytes')),
    ...optional('objects', singleValue(samples, 'apiserver_storage_entries')),
  }
}

const optional = <K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]: number })

async function readHealth({ transport }: Cluster): Promise<{ readonly ready: boolean; readonly problems: readonly string[] }> {
  try {
    await transport.request({ verb: 'read', path: '/readyz?verbose' })
    return { ready: true, problems: [] }
  } catch (error) {
    const text = messageOf(error)
    const failed = text.split('\n').filter((line) => line.startsWith('[-]'))
    if (failed.length === 0) throw error
    return { ready: false, problems: failed.map((line) => line.slice(3)) }
  }
}

async function readVersion({ transport }: Cluster): Promise<string> {
  const { body } = await transport.request({ verb: 'read', path: '/version' })
  return String((body as { gitVersion?: string }).gitVersion ?? 'unknown')
}

/** Whoever may not read them gets a status without numbers. */
async function readMetrics({ transport }: Cluster): Promise<readonly Sample[]> {
  try {
    return parseMetrics(String((await transport.request({ verb: 'read', path: '/metrics', accept: 'text/plain' })).body))
  } catch {
    return []
  }
}

function formatStatus(found: ServerStatus): string {
  const lines: (readonly [string, string | undefined])[] = [
    ['Address', found.address],
    ['Health', found.ready ? 'ready' : `not ready: ${found.problems.join('; ')}`],
    ['Version', serverVersion(found.version)],
    ['Process', found.process === undefined ? undefined : `${found.process.pid}, data in ${found.process.dataDir}`],
    ['Console', found.console === undefined ? undefined : `${found.console} (weft open signs in)`],
    ['Up for', found.uptimeSeconds === undefined ? undefined : formatDuration(found.uptimeSeconds * 1000)],
    ['Memory', found.memoryBytes === undefined ? undefined : formatSize(found.memoryBytes)],
    ['Storage', found.storageBytes === undefined ? undefined : formatSize(found.storageBytes)],
    ['Objects', formatCounts(found, found.objects)],
    ['Programs', found.programs === undefined ? undefined : formatProgramIsolation(new Map(Object.entries(found.programs)))],
    ['Servers', found.postgresql === undefined ? undefined : formatPostgresqlIsolation(found.postgresql)],
  ]
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [`${`${name}:`.padEnd(10)}${value}\n`])).join('')
}
