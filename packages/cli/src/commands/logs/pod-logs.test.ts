import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logs } from './logs.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Body = Readonly<Record<string, unknown>>

const resource = (name: string, kind: string, namespaced: boolean) => ({
  name,
  kind,
  namespaced,
  singularName: kind.toLowerCase(),
  verbs: ['get', 'list'],
})
const DISCOVERY: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [resource('pods', 'Pod', true)] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'pkg.crossplane.io',
        versions: [{ groupVersion: 'pkg.crossplane.io/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'pkg.crossplane.io/v1', version: 'v1' },
      },
    ],
  },
  '/apis/pkg.crossplane.io/v1': {
    kind: 'APIResourceList',
    groupVersion: 'pkg.crossplane.io/v1',
    resources: [resource('providers', 'Provider', false), resource('functions', 'Function', false)],
  },
}
const PODS = '/api/v1/namespaces/crossplane-system/pods'
const pod = (name: string, label: string, { phase = 'Running', at = '2026-01-01T00:00:00Z' } = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'crossplane-system',
    creationTimestamp: at,
    labels: { [label]: 'acme', 'pkg.crossplane.io/revision': `${name}-rev` },
  },
  status: { phase },
})
const say =
  (status: number, body: object): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const failure = (code: number, reason: string, message: string): Answer =>
  say(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message })

/** Where there is no kubelet there is no log of a pod: a small server stands in for the API server of a cluster, and notes what it is asked. */
describe('weft logs of a package that is a pod', () => {
  let server: Server
  let directory: string
  let kubeconfig: string
  let text: string
  let told: string
  let asked: string[]
  let pods: readonly Body[]
  let answers: Record<string, Answer>

  beforeEach(async () => {
    ;[text, told, asked, pods, answers] = ['', '', [], [], {}]
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
      const answer = answers[pathname]
      if (answer !== undefined) {
        asked.push(request.url ?? '')
        return answer(request, response)
      }
      if (pathname === PODS) {
        const [label = ''] = (searchParams.get('labelSelector') ?? '').split('=')
        const items = pods.filter(({ metadata }) => label in (metadata as { labels: object }).labels)
        return say(200, { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '1' }, items })(request, response)
      }
      const found = DISCOVERY[pathname]
      return found === undefined ? failure(404, 'NotFound', `${pathname} not found`)(request, response) : say(200, found)(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    directory = await mkdtemp(join(tmpdir(), 'weft-pod-logs-'))
    kubeconfig = join(directory, 'config')
    const { port } = server.address() as AddressInfo
    const config = {
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'c', user: { token: 'secret' } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
    }
    await writeFile(kubeconfig, JSON.stringify(config))
    vi.spyOn(process.stderr, 'write').mockImplementation((words) => {
      told += String(words)
      return true
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    server.closeAllConnections()
    server.close()
    await rm(directory, { recursive: true, force: true })
  })

  const read = (name: string | undefined, options: object = {}, stopped: () => Promise<unknown> = () => new Promise(() => undefined)) =>
    logs(name, { kubeconfig, ...options }, { write: (more) => void (text += more), stopped })

  test('is asked of the newest that runs, in the container of the program, with the lines from the end', async () => {
    pods = [
      pod('gone', 'pkg.crossplane.io/provider', { phase: 'Failed', at: '2026-03-01T00:00:00Z' }),
      pod('older', 'pkg.crossplane.io/provider'),
      pod('newer', 'pkg.crossplane.io/provider', { at: '2026-02-01T00:00:00Z' }),
    ]
    answers[`${PODS}/newer/log`] = ({ headers }, response) => {
      expect(headers.authorization).toBe('Bearer secret')
      response.writeHead(200, { 'content-type': 'text/plain' }).end('one\ntwo\n')
    }
    expect(await read('acme', { tail: 2 })).toBe(0)
    expect(text).toBe('one\ntwo\n')
    expect(asked).toEqual([`${PODS}/newer/log?container=package-runtime&tailLines=2`])
    expect(told).toMatch(/pod newer; there are also older, gone/)
  })

  test('goes on with what comes until it is stopped, and cuts no character in two', async () => {
    pods = [pod('one', 'pkg.crossplane.io/function')]
    const [first, ...rest] = Buffer.from('é\n')
    let more = (): void => undefined
    answers[`${PODS}/one/log`] = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.write('begun\n')
      response.write(Buffer.from([first as number]))
      more = () => void response.write(Buffer.from(rest))
    }
    let stop = (): void => undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const following = read('acme', { follow: true }, () => stopped)
    await vi.waitUntil(() => text === 'begun\n', 60_000)
    more()
    await vi.waitUntil(() => text === 'begun\né\n', 60_000)
    stop()
    expect(await following).toBe(0)
    expect(asked).toEqual([`${PODS}/one/log?container=package-runtime&follow=true`])
  })

  test('says what to do when the server refuses, or cannot', async () => {
    pods = [pod('one', 'pkg.crossplane.io/provider')]
    answers[`${PODS}/one/log`] = failure(403, 'Forbidden', 'pods "one" is forbidden')
    await expect(read('acme')).rejects.toThrow(
      /requires the right to get pods\/log in the namespace crossplane-system \(pods "one" is forbidden\)/,
    )
    answers[`${PODS}/one/log`] = failure(400, 'BadRequest', 'container "package-runtime" in pod "one" is waiting to start: ErrImagePull')
    await expect(read('acme')).rejects.toThrow(/pod one: .*waiting to start: ErrImagePull/)
    answers[`${PODS}/one/log`] = (_request, response) =>
      void response.writeHead(502, { 'content-type': 'text/plain' }).end('dial tcp: no kubelet')
    await expect(read('acme')).rejects.toThrow(/pod one: .*no kubelet/)
  })

  test('says why there is none', async () => {
    await expect(read('acme')).rejects.toThrow(/there is no provider or function acme: `weft package list`/)
    const message = 'the program starts when one of its kinds (3) is activated'
    const status = { conditions: [{ type: 'Healthy', status: 'True', reason: 'AwaitingActivation', message }] }
    answers['/apis/pkg.crossplane.io/v1/providers/acme'] = say(200, {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'acme' },
      status,
    })
    await expect(read('acme')).rejects.toThrow(
      /Provider acme has no pod in the namespace crossplane-system: the program starts .*--data-dir/,
    )
  })

  test('names the data directory as the place to look in where a server runs no pods', async () => {
    answers['/api/v1'] = say(200, { kind: 'APIResourceList', groupVersion: 'v1', resources: [resource('secrets', 'Secret', true)] })
    for (const name of ['acme', undefined])
      await expect(read(name)).rejects.toThrow(/runs no pods: .*data directory, which --data-dir names/)
  })

  test('lists those that there are', async () => {
    await read(undefined)
    expect(told).toMatch(/No logs found/)
    pods = [pod('one', 'pkg.crossplane.io/function')]
    await read(undefined)
    expect(text).toMatch(/^PACKAGE +POD +STATUS +AGE\nacme +one +Running +\S+/)
  })
})
