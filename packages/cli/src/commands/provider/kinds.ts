import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatTable } from '../../output/index.ts'
import { findProvider, offeredKinds } from './terraform-provider.ts'

export interface KindsOptions extends ClusterOptions {
  readonly active?: boolean
  readonly headers: boolean
}

const COLUMNS = ['KIND', 'TERRAFORM TYPE', 'GROUP', 'ACTIVE']

export async function kinds(name: string, word: string | undefined, options: KindsOptions): Promise<number> {
  const all = await withCluster(options, async ({ client }) => {
    await findProvider(client, name)
    return offeredKinds(client, name)
  })
  const part = (word ?? '').toLowerCase()
  const found = all.filter(
    ({ kind, type, active }) => (kind.toLowerCase().includes(part) || type.includes(part)) && (active || options.active !== true),
  )
  if (found.length === 0) process.stderr.write(`No kinds found; Provider ${name} has ${all.length}\n`)
  const rows = found.map(({ kind, type, group, active }) => [kind, type, group, active ? 'True' : 'False'])
  if (rows.length > 0) process.stdout.write(formatTable(options.headers ? [COLUMNS, ...rows] : rows))
  return 0
}
