import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createMemoryPki } from '@weft/apiserver'
import type { BareServer } from '../bare-server.ts'
import { CONFIG_MAPS, configMap, CRDS, definition, members, post, send, TYPES } from './world.ts'

/** Work that is more than one request and its answer. */
export interface GrowthScene {
  readonly name: string
  readonly size: number
  /**
   * How often each size is counted; the least counts. For what takes so long that the server's own chores fall into it. The scene is then set
   * anew each time.
   */
  readonly tries?: number
  /** Sets the scene, not counted. Answers what is counted. */
  prepare(server: BareServer, n: number): Promise<() => Promise<void>>
}

const PATIENCE = 100_000

/** Opens a watch and counts what arrives; JSON is made of each event, as for a client. */
async function follow(
  server: BareServer,
  query: string,
): Promise<{ events(): number; arrived(count: number): Promise<void>; stop(): void }> {
  const { body, status } = await server.send({ method: 'GET', url: `${CONFIG_MAPS}?watch=true&${query}` })
  if (body.kind !== 'watch') throw new Error(`no watch: ${status}`)
  let events = 0
  const stop = body.watch.open({
    send(batch) {
      for (const { object } of batch) if (object.json.length > 0) events++
    },
    close: () => undefined,
  })
  return {
    events: () => events,
    stop,
    async arrived(count) {
      for (let turns = 0; events < count; turns++) {
        if (turns > PATIENCE) throw new Error(`${events} of ${count} events arrived`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

async function must(server: BareServer, request: Parameters<BareServer['send']>[0]): Promise<void> {
  const { status, body } = await server.send(request)
  if (status >= 300) throw new Error(`${request.method} ${request.url}: ${status} ${JSON.stringify(body).slice(0, 500)}`)
}

const clear = (server: BareServer, url: string): Promise<unknown> => server.send({ method: 'DELETE', url })

const WATCHES: readonly GrowthScene[] = [
  {
    name: 'a watch that begins with many objects',
    size: 100,
    async prepare(server, n) {
      await clear(server, `${CONFIG_MAPS}?labelSelector=scene`)
      for (let i = 0; i < n; i++) await must(server, post(CONFIG_MAPS, configMap(`w${i}`, {}, { labels: { scene: `s${i}` } })))
      return async () => {
        const watch = await follow(server, 'labelSelector=scene')
        await watch.arrived(n)
        watch.stop()
      }
    },
  },
  {
    name: 'a watch of events of a large object',
    size: 400,
    async prepare(server, n) {
      await clear(server, `${CONFIG_MAPS}?labelSelector=scene`)
      await must(server, post(CONFIG_MAPS, configMap('large', { data: members(n, (i) => `v${i}`) }, { labels: { scene: 's' } })))
      const watch = await follow(server, 'labelSelector=scene')
      await watch.arrived(1)
      return async () => {
        await must(server, send('PATCH', `${CONFIG_MAPS}/large`, { data: { more: 'x' } }, TYPES.merge))
        await watch.arrived(2)
        watch.stop()
      }
    },
  },
  {
    name: 'an event for many watches with selectors',
    size: 100,
    async prepare(server, n) {
      await clear(server, `${CONFIG_MAPS}?labelSelector=scene`)
      const selectors = ['labelSelector=scene%3Ds', 'fieldSelector=metadata.name%3Dseen', 'labelSelector=scene,!other']
      const watches: Awaited<ReturnType<typeof follow>>[] = []
      for (let i = 0; i < n; i++) watches.push(await follow(server, selectors[i % selectors.length] as string))
      return async () => {
        await must(server, post(CONFIG_MAPS, configMap('seen', {}, { labels: { scene: 's' } })))
        for (const watch of watches) {
          await watch.arrived(1)
          watch.stop()
        }
      }
    },
  },
  {
    name: 'a watch that resumes after many changes',
    size: 100,
    async prepare(server, n) {
      await clear(server, `${CONFIG_MAPS}?labelSelector=scene`)
      await must(server, post(CONFIG_MAPS, configMap('changed', {}, { labels: { scene: 's' } })))
      const { body } = await server.send({ method: 'GET', url: `${CONFIG_MAPS}/changed` })
      const version = body.kind === 'stored' ? body.stored.object.metadata.resourceVersion : ''
      for (let i = 0; i < n; i++) await must(server, send('PATCH', `${CONFIG_MAPS}/changed`, { data: { k: `v${i}` } }, TYPES.merge))
      return async () => {
        const watch = await follow(server, `resourceVersion=${version}&labelSelector=scene`)
        await watch.arrived(n)
        watch.stop()
      }
    },
  },
]

const CONVERTED = '/apis/growth.example.org/v2/namespaces/default/others'
const pki = createMemoryPki({ hosts: ['127.0.0.1'] })

/** Answers every object in the version that is asked for. Does not keep the process alive. */
async function startConverter(): Promise<string> {
  const server = createServer({ key: pki.serving.key, cert: pki.serving.certificate }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as {
        request: { uid: string; desiredAPIVersion: string; objects: readonly object[] }
      }
      const { uid, desiredAPIVersion, objects } = review.request
      const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...review, request: undefined, response: { uid, convertedObjects, result: { status: 'Success' } } }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function defineConverted(server: BareServer): Promise<void> {
  const isServed = async (): Promise<boolean> => (await server.send({ method: 'GET', url: CONVERTED })).status === 200
  if (await isServed()) return
  const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
  const base = definition(0, schema, 3) as { readonly spec: object }
  const caBundle = Buffer.from(pki.ca.certificatePem).toString('base64')
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: await startConverter(), caBundle } }
  await must(server, post(CRDS, { ...base, spec: { ...base.spec, conversion: { strategy: 'Webhook', webhook } } }))
  for (let tries = 0; !(await isServed()); tries++) {
    if (tries > 1000) throw new Error('the definition is not served')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const CONVERSIONS: readonly GrowthScene[] = [
  {
    name: 'a list of objects of several versions that a webhook converts',
    size: 60,
    tries: 3,
    async prepare(server, n) {
      await defineConverted(server)
      await clear(server, CONVERTED)
      for (let i = 0; i < n; i++) {
        const version = `v${1 + (i % 3)}`
        const object = { apiVersion: `growth.example.org/${version}`, kind: 'Other', metadata: { name: `o${i}` }, spec: { i } }
        await must(server, post(CONVERTED.replace('v2', version), object))
      }
      return async () => {
        const { status, body } = await server.send({ method: 'GET', url: CONVERTED.replace('v2', 'v3') })
        if (status !== 200 || body.kind !== 'list' || body.list.items.length !== n) throw new Error(`${status}: not all were converted`)
      }
    },
  },
]

export const SCENES: readonly GrowthScene[] = [...WATCHES, ...CONVERSIONS]
