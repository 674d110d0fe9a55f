import { type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, createForwarder, loadKubeconfig, NoMatchError, statusErrorOf } from '@weft/client'
import { text } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { type ClusterOptions, findKubeconfig, withCluster } from '../../cluster/index.ts'
import { formatAge, formatTable } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { VERSION } from '../../version.ts'
import { conditionOf, PACKAGE_GROUP } from '../package/package-object.ts'
import type { LogReader, LogsOptions } from './log-reader.ts'

const podKind = { group: '', kind: 'Pod' }
const CONTAINER = 'package-runtime'
const TYPES = ['Provider', 'Function'] as const
const labelOf = (type: (typeof TYPES)[number]): string => `${PACKAGE_GROUP}/${type.toLowerCase()}`

/** The output of packages that run as pods of a cluster, through its API server. */
export const podLogs = (name: string | undefined, options: LogsOptions & ClusterOptions, reader: LogReader): Promise<number> =>
  withCluster(options, async ({ client }) => {
    if (!(await hasPods(client)))
      throw new CommandFailure(`this server runs no pods: ${ELSEWHERE} (.weft where it was started, unless it was named)`)
    if (name === undefined) return list(client, reader)
    const pod = await podOf(client, name)
    await print(pod, options, reader)
    return 0
  })

const hasPods = (client: Client): Promise<boolean> =>
  client.mapping(podKind).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NoMatchError) return false
      throw error
    },
  )

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string }
}

const podsOf = async (client: Client, labels: object): Promise<readonly Pod[]> => {
  const { items } = await client.list<Pod>(podKind, { namespace: SYSTEM_NAMESPACE, labels })
  const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running'
  const age = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? '')
  return items.toSorted((a, b) => Number(isRunning(b)) - Number(isRunning(a)) || age(b) - age(a))
}

/** The kubeconfig of a control plane that runs without a cluster does not say where that keeps its logs, once it was copied. */
const ELSEWHERE = 'logs of a `weft up` on this machine are in its data directory, which --data-dir names'

/** The newest that runs. */
async function podOf(client: Client, name: string): Promise<string> {
  for (const type of TYPES) {
    const [pod, ...others] = await podsOf(client, { matchLabels: { [labelOf(type)]: name } })
    if (pod === undefined) continue
    const more = others.map(({ metadata }) => metadata.name).join(', ')
    if (more !== '')
      process.stderr.write(
        `this is pod ${pod.metadata.name ?? ''}; there are also ${more}: \`kubectl logs -n ${SYSTEM_NAMESPACE} POD\` shows them\n`,
      )
    return pod.metadata.name ?? ''
  }
  for (const type of TYPES) {
    const found = await client.find({ group: PACKAGE_GROUP, kind: type }, { name })
    if (found === undefined) continue
    const why =
      conditionOf(found, 'Healthy')?.message ??
      conditionOf(found, 'Installed')?.message ??
      'it may come with Weft, and print where Weft does'
    throw new CommandFailure(`${type} ${name} has no pod in the namespace ${SYSTEM_NAMESPACE}: ${why}; ${ELSEWHERE}`)
  }
  throw new CommandFailure(`there is no provider or function ${name}: \`weft package list\` lists those that are installed`)
}

async function list(client: Client, { write }: LogReader): Promise<number> {
  const pods = await podsOf(client, { matchExpressions: [{ key: `${PACKAGE_GROUP}/revision`, operator: 'Exists' }] })
  if (pods.length === 0) {
    process.stderr.write(`No logs found: no package runs as a pod in the namespace ${SYSTEM_NAMESPACE}.\n`)
    return 0
  }
  const rows = pods.map(({ metadata: { name = '', labels = {}, creationTimestamp }, status }) => {
    const label = TYPES.map((type) => labels[labelOf(type)]).find((each) => each !== undefined)
    return [label ?? '', name, status?.phase ?? '', formatAge(creationTimestamp)]
  })
  write(formatTable([['PACKAGE', 'POD', 'STATUS', 'AGE'], ...rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))]))
  return 0
}

async function print(pod: string, options: LogsOptions & ClusterOptions, { write, stopped }: LogReader): Promise<void> {
  const { paths } = findKubeconfig(options)
  const connection = await loadKubeconfig({ paths, context: options.context })
  const forwarder = createForwarder({ ...connection, userAgent: `weft/${VERSION}` })
  const query = new URLSearchParams({ container: CONTAINER })
  if (options.follow === true) query.set('follow', 'true')
  if (options.tail !== undefined) query.set('tailLines', String(options.tail))
  const ended = new AbortController()
  if (options.follow === true) void stopped().then(() => ended.abort())
  try {
    const { status, headers, body } = await forwarder.forward({
      method: 'GET',
      path: `/api/v1/namespaces/${SYSTEM_NAMESPACE}/pods/${encodeURIComponent(pod)}/log?${query.toString()}`,
      headers: { accept: 'text/plain, */*' },
      streaming: true,
      signal: ended.signal,
    })
    if (status !== 200) throw refusal(pod, status, String(headers['content-type'] ?? ''), await text(body))
    // A character may be cut in two by the end of what has arrived.
    const decoder = new StringDecoder('utf8')
    for await (const chunk of body as AsyncIterable<Buffer>) write(decoder.write(chunk))
  } catch (error) {
    if (!ended.signal.aborted) throw error
  } finally {
    await forwarder.close()
  }
}

function refusal(pod: string, status: number, contentType: string, words: string): CommandFailure {
  const { message } = statusErrorOf(status, contentType.startsWith('application/json') ? (JSON.parse(words) as unknown) : words)
  if (status === 403)
    return new CommandFailure(
      `you may not read the log of pod ${pod}: that requires the right to get pods/log in the namespace ${SYSTEM_NAMESPACE} (${message})`,
    )
  return new CommandFailure(`the API server does not give the log of pod ${pod}: ${message}`)
}
