import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { type Client, secretKind } from '@weft/client'

/*
 * There is no kubelet here, so nothing runs what a Deployment's pods are. The server and its controllers are real: they make ReplicaSets and pods of a Deployment and
 * tell from the status of the pods whether it is available. A process stands in for the container: it has what the pod's template says (environment, files of
 * Secrets, the token of its account), as a kubelet would give it, and the pod is said to be ready when it runs. Images are not pulled: the
 * caller says what the program is. Files are in a folder of their own instead of at the paths of the pod.
 */

export interface PodStandIn {
  readonly child: ChildProcess
  readonly env: Readonly<Record<string, string>>
  output(): string
  stop(): Promise<void>
}

interface Pod extends KubeObject {
  readonly spec: {
    readonly serviceAccountName: string
    readonly containers: readonly {
      readonly name: string
      readonly env?: readonly {
        readonly name: string
        readonly value?: string
        readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } }
      }[]
      readonly args?: readonly string[]
      readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
    }[]
    readonly volumes?: readonly {
      readonly name: string
      readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string; readonly path: string }[] }
    }[]
  }
}

const podKind = { group: '', kind: 'Pod' }

/** The pods that a Deployment's controllers have made, oldest first. */
export const podsOf = async (client: Client, labels: Readonly<Record<string, string>>): Promise<readonly Pod[]> =>
  (await client.list<Pod>(podKind as never, { namespace: 'crossplane-system', labels: { matchLabels: labels } })).items.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  )

interface Running {
  /** The text of the program. */
  readonly program: string
  /** A kubeconfig for the account of the pod. */
  readonly kubeconfig: (account: string) => Promise<string>
  readonly env?: Readonly<Record<string, string>>
}

export async function standInFor(client: Client, pod: Pod, { program, kubeconfig, env: more = {} }: Running): Promise<PodStandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-pod-'))
  const container = pod.spec.containers.find(({ name }) => name === 'package-runtime')
  if (container === undefined) throw new Error('the pod has no container package-runtime')
  const places = new Map<string, string>()
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const secret = pod.spec.volumes?.find((volume) => volume.name === name)?.secret
    if (secret === undefined) continue
    const { data = {} } = await client.get(secretKind, { namespace: 'crossplane-system', name: secret.secretName })
    const place = join(folder, mountPath)
    await mkdir(place, { recursive: true })
    for (const { key, path } of secret.items ?? Object.keys(data).map((each) => ({ key: each, path: each })))
      await writeFile(join(place, path), Buffer.from(data[key] ?? '', 'base64'), { mode: 0o600 })
    places.set(mountPath, place)
  }
  const env: Record<string, string> = {}
  for (const { name, value, valueFrom } of container.env ?? [])
    env[name] = (value ?? fieldOf(pod, valueFrom?.fieldRef?.fieldPath ?? '')).replaceAll(
      /\$\((\w+)\)/g,
      (all, of: string) => env[of] ?? all,
    )
  const account = join(folder, 'kubeconfig')
  await writeFile(account, await kubeconfig(pod.spec.serviceAccountName), { mode: 0o600 })
  const script = join(folder, 'main.cjs')
  await writeFile(script, program)
  const placed = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, places.get(value) ?? value]))
  const child = spawn(process.execPath, [script, ...(container.args ?? [])], {
    cwd: folder,
    env: { ...placed, KUBECONFIG: account, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const exited = once(child, 'exit')
  await sayReady(client, pod)
  return {
    child,
    env,
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await exited
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function fieldOf({ metadata }: KubeObject, path: string): string {
  const label = /^metadata\.labels\['(.+)'\]$/.exec(path)?.[1]
  if (label !== undefined) return metadata.labels?.[label] ?? ''
  if (path === 'metadata.namespace') return metadata.namespace ?? ''
  throw new Error(`no stand-in for ${path}`)
}

/** As a kubelet does when a pod's containers run. */
export async function sayReady(client: Client, { metadata }: KubeObject): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const conditions = ['Initialized', 'ContainersReady', 'Ready', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }))
  await client.patch(
    podKind as never,
    { name: metadata.name ?? '', namespace: metadata.namespace },
    { type: 'strategic', body: { status: { phase: 'Running', conditions, startTime: now } } },
    { subresource: 'status' },
  )
}
