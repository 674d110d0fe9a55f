import { type KubeObject, messageOf as messageOfError } from '@weft/api'
import { CONFIRM_DELETION } from '@weft/controllers'
import type { Mapping } from '@weft/client'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { formatDuration, formatName } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { waitForObject } from '../wait/wait-for-object.ts'
import { conditionOf, PACKAGE_GROUP, PACKAGE_TYPES, packageTypeOf } from './package-object.ts'

export interface UninstallOptions extends ClusterOptions {
  readonly type?: string
  /** How many objects may go with it, as the refusal counted them. */
  readonly confirm?: number
  readonly wait: boolean
  readonly timeout: number
}

/** Deletes a package, which takes away what it installed. What is in use is refused by the server, which says what to do. */
export function uninstall(name: string, options: UninstallOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const { kind, found } = await installed(cluster, name, options.type)
    if (options.confirm !== undefined) {
      const body = { metadata: { annotations: { [CONFIRM_DELETION]: String(options.confirm) } } }
      await cluster.client.patch(kind, { name }, { type: 'merge', body }, { fieldManager: 'weft-cli' })
    }
    await cluster.client.delete(kind, { name }).catch((error: unknown) => {
      throw inWordsOfThisCommand(error, name)
    })
    if (!options.wait) {
      process.stdout.write(`${formatName(found)} is being uninstalled\n`)
      return 0
    }
    await untilGone(cluster, { kind, found }, options.timeout)
    process.stdout.write(`${formatName(found)} uninstalled\n`)
    return 0
  })
}

/** The server says how to confirm it with any client; here there is an option for that. */
function inWordsOfThisCommand(error: unknown, name: string): unknown {
  const found = /kubectl annotate .*confirm-deletion=(\d+), then delete it again/.exec(messageOfError(error))
  if (found === null) return error
  const told = messageOfError(error).replace(found[0], `weft package uninstall ${name} --confirm ${found[1] ?? ''}`)
  return new CommandFailure(told, { cause: error })
}

interface Installed {
  readonly kind: Mapping
  readonly found: KubeObject
}

async function installed(cluster: Cluster, name: string, type: string | undefined): Promise<Installed> {
  const wanted = type === undefined ? PACKAGE_TYPES : [packageTypeOf(type)]
  const all = await Promise.all(
    wanted.map(async (each) => {
      const kind = await cluster.client.mapping({ group: PACKAGE_GROUP, kind: each })
      const found = await cluster.client.find(kind, { name })
      return found === undefined ? undefined : { kind, found }
    }),
  )
  const [first, second] = all.filter((each) => each !== undefined)
  if (first === undefined) throw new CommandFailure(`no package ${name} is installed; \`weft package list\` shows those that are`)
  if (second !== undefined) throw new CommandFailure(`${name} is a provider and a configuration: say which with --type`)
  return first
}

async function untilGone(cluster: Cluster, { kind, found }: Installed, timeout: number): Promise<void> {
  const { name = '', uid } = found.metadata
  let last: KubeObject | undefined
  const isGone = await withProgress(`waiting for ${formatName(found)} to go`, (tell) =>
    waitForObject(cluster, { kind, name, namespace: undefined, uid }, (object) => object === undefined, {
      signal: AbortSignal.timeout(timeout),
      onSeen: (object) => {
        last = object
        tell(messageOf(object) ?? '')
      },
    }),
  )
  if (isGone) return
  const why = messageOf(last)
  throw new CommandFailure(
    `${formatName(found)} is not gone after ${formatDuration(timeout)}${why === undefined ? '' : `: ${why}`}; it continues in the background`,
  )
}

/** What keeps it from going. */
const messageOf = (object: KubeObject | undefined): string | undefined =>
  ['Healthy', 'Installed'].map((type) => conditionOf(object, type)).find((found) => found?.status === 'False' && found.message)?.message
