import { TERRAFORM } from '@weft/controllers'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { formatAge, formatTable } from '../../output/index.ts'
import { conditionOf } from '../package/package-object.ts'
import { listProviders, offeredKinds, packageOf } from './terraform-provider.ts'

export interface ListOptions extends ClusterOptions {
  readonly headers: boolean
}

const COLUMNS = ['NAME', 'SOURCE', 'INSTALLED', 'HEALTHY', 'KINDS', 'ACTIVE', 'AGE']

export async function list(options: ListOptions): Promise<number> {
  const rows = await withCluster(options, async ({ client }) =>
    Promise.all(
      (await listProviders(client)).map(async (provider) => {
        const { name = '', creationTimestamp } = provider.metadata
        const kinds = await offeredKinds(client, name)
        return [
          name,
          packageOf(provider).slice(TERRAFORM.length),
          conditionOf(provider, 'Installed')?.status ?? '',
          conditionOf(provider, 'Healthy')?.status ?? '',
          String(kinds.length),
          String(kinds.filter(({ active }) => active).length),
          formatAge(creationTimestamp),
        ]
      }),
    ),
  )
  if (rows.length === 0) process.stderr.write('No Terraform providers found; add one with `weft provider add`\n')
  else process.stdout.write(formatTable(options.headers ? [COLUMNS, ...rows] : rows))
  return 0
}
