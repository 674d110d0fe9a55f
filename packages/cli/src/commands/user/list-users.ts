import type { ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { formatAge, formatTable } from '../../output/index.ts'
import { ROLE_LABEL, serviceAccountKind, USER_LABEL } from './user-account.ts'

export async function listUsers(options: ClusterOptions): Promise<number> {
  const { items } = await withCluster(options, ({ client }) => client.list(serviceAccountKind, { labels: USER_LABEL }))
  if (items.length === 0) {
    process.stderr.write('No accounts found; `weft user add NAME --role ROLE` creates one\n')
    return 0
  }
  const rows = items.map(({ metadata: { labels = {}, namespace = '', creationTimestamp } }) => {
    const role = labels[ROLE_LABEL] ?? ''
    return [labels[USER_LABEL] ?? '', role, role === 'application-operator' ? namespace : '(all)', formatAge(creationTimestamp)]
  })
  process.stdout.write(formatTable([['NAME', 'ROLE', 'NAMESPACE', 'AGE'], ...rows]))
  return 0
}
