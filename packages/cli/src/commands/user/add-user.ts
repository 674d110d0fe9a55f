import { gvkOf, hasReason, type KubeObject, messageOf } from '@weft/api'
import { writeKubeconfig } from '@weft/apiserver'
import { loadKubeconfig } from '@weft/client'
import { existsSync } from 'node:fs'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { formatDuration } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { requestToken } from './request-token.ts'
import { accountObjects, checkUserName, findAccount, ROLE_LABEL, USER_LABEL, type UserRole } from './user-account.ts'

export interface AddUserOptions extends ClusterOptions {
  readonly role: UserRole
  readonly output?: string
  readonly duration: number
  readonly server?: string
}

const SHORTEST_MS = 600_000

/** Makes the account and what binds its role, asks for a token, and writes a kubeconfig that only its owner can read. */
export function addUser(name: string, options: AddUserOptions): Promise<number> {
  checkUserName(name)
  if (options.duration < SHORTEST_MS) throw new CommandFailure('a token is valid for at least ten minutes: give --duration 10m or more')
  const file = options.output ?? `${name}.kubeconfig`
  return withCluster(options, async (cluster) => {
    await checkRole(cluster, name, options.role)
    const objects = accountObjects(name, options.role, cluster.namespace)
    const [account] = objects
    for (const object of objects) await make(cluster, object, name)
    const { token, expires } = await requestToken(cluster, account as KubeObject, options.duration)
    const { ca } = await loadKubeconfig({ paths: cluster.location.paths, context: options.context })
    const kubeconfig = {
      server: options.server ?? cluster.server,
      ca: ca ?? '',
      user: { token },
      name: `${name}@weft`,
      namespace: cluster.namespace,
    }
    const existed = existsSync(file)
    await writeKubeconfig(file, kubeconfig).catch((cause: unknown) => {
      throw new CommandFailure(`cannot write ${file}: ${messageOf(cause)}`, { cause })
    })
    const where = options.role === 'application-operator' ? ` in the namespace ${cluster.namespace}` : ''
    process.stdout.write(
      [
        `${name} has the role ${options.role}${where}`,
        `${existed ? 'Replaced' : 'Wrote'} ${file}, which contains a token that is valid until ${expires} (${formatDuration(options.duration)}).`,
        'Pass it on over a channel that nobody else can read. With it:',
        `  weft get claim --kubeconfig ${file}`,
        `  weft console --kubeconfig ${file}      prints a link that signs in`,
        '',
      ].join('\n'),
    )
    return 0
  })
}

/** One account has one role: another one would have to be taken away by somebody who remembers it. */
async function checkRole(cluster: Cluster, name: string, role: UserRole): Promise<void> {
  const before = (await findAccount(cluster, name))?.metadata.labels?.[ROLE_LABEL]
  if (before !== undefined && before !== role)
    throw new CommandFailure(`${name} has the role ${before} already: \`weft user remove ${name}\` first, then add it again`)
}

async function make(cluster: Cluster, object: KubeObject, name: string): Promise<void> {
  try {
    await cluster.client.create(object)
  } catch (error) {
    const { namespace } = object.metadata
    if (hasReason(error, 'NotFound') && namespace !== undefined)
      throw new CommandFailure(
        `there is no namespace ${namespace}: create it first (kubectl create namespace ${namespace}, or apply a Namespace)`,
        {
          cause: error,
        },
      )
    if (!hasReason(error, 'AlreadyExists')) throw error
    const { metadata } = await cluster.client.get(gvkOf(object), {
      name: object.metadata.name ?? '',
      namespace: object.metadata.namespace,
    })
    if (metadata.labels?.[USER_LABEL] !== name)
      throw new CommandFailure(
        `there is ${object.kind} ${object.metadata.name ?? ''}, which \`weft user add\` did not create: choose another name`,
        {
          cause: error,
        },
      )
  }
}
