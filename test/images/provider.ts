// A provider as a program, bundled into the image of a package: parts on a shelf, which is a server of the test. It is found and told everything as
// those of Crossplane are. What its resources name under `look` it tries, as a program would that wants more than is its own.
import { spawn } from 'node:child_process'
import { fstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { defineProvider, type ExternalClient, ExternalError, managedKind, type ManagedResource, runProvider } from '@weft/provider-sdk'

interface Look {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly list?: readonly string[]
  /** `GET /api/v1/…` of the control plane; with a body, `POST path {…}`. */
  readonly ask?: readonly string[]
}

interface Part extends ManagedResource {
  readonly spec: NonNullable<ManagedResource['spec']> & {
    readonly forProvider: {
      readonly shelf?: string
      readonly size?: number
      readonly look?: Look
      readonly crash?: string
      readonly leave?: boolean
    }
  }
}

const tries = (act: () => unknown): string => {
  try {
    return String(act()).slice(0, 200)
  } catch (error) {
    return `no: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`
  }
}

/** Files that it did not open, by number and size. */
const leftOpen = (): string[] =>
  Array.from({ length: 1024 }, (_, fd) => fd).flatMap((fd) => {
    try {
      const file = fstatSync(fd)
      return file.isFile() ? [`${fd}: ${file.size} bytes`] : []
    } catch {
      return []
    }
  })

/** With what a pod would have, and not by way of the kubeconfig: both must be right. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

function ask(question: string): Promise<string> {
  const [method = 'GET', path = '/', ...rest] = question.split(' ')
  const body = rest.join(' ')
  return new Promise((resolve) => {
    const request = httpsRequest(
      {
        host: process.env['KUBERNETES_SERVICE_HOST'],
        port: process.env['KUBERNETES_SERVICE_PORT'],
        method,
        path,
        ca: readFileSync(join(ACCOUNT, 'ca.crt')),
        headers: {
          authorization: `Bearer ${readFileSync(join(ACCOUNT, 'token'), 'utf8')}`,
          ...(body !== '' && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.once('end', () => resolve(`${response.statusCode}${namesOf(text)}`))
      },
    )
    request.once('error', (error) => resolve(`no: ${error.message}`))
    request.end(body)
  })
}

/** Of the Secrets in a list; nothing of anything else. */
function namesOf(text: string): string {
  const { kind, items = [] } = JSON.parse(text) as { kind?: string; items?: { metadata: { namespace: string; name: string } }[] }
  return kind === 'SecretList' ? ` ${items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(' ')}`.trimEnd() : ''
}

async function lookAround({ read = [], write = [], list = [], ask: questions = [] }: Look): Promise<Record<string, unknown>> {
  const answers: [string, string][] = []
  for (const question of questions) answers.push([question, await ask(question)])
  return {
    uid: process.getuid?.() ?? -1,
    leftOpen: leftOpen(),
    environment: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    arguments: process.argv.slice(2),
    read: Object.fromEntries(read.map((path) => [path, tries(() => readFileSync(path, 'utf8') || 'empty')])),
    write: Object.fromEntries(write.map((path) => [path, tries(() => writeFileSync(path, 'x') ?? 'written')])),
    list: Object.fromEntries(list.map((path) => [path, tries(() => readdirSync(path).toSorted().join(' '))])),
    ask: Object.fromEntries(answers),
  }
}

const onShelf = async (part: Part, name: string, method: string, body?: object): Promise<Response> =>
  fetch(`${part.spec.forProvider.shelf ?? ''}/${name}`, { method, ...(body && { body: JSON.stringify(body) }) }).catch((error: unknown) => {
    throw new ExternalError('Unavailable', `the shelf cannot be reached: ${(error as Error).message}`, { mayHaveTakenEffect: true })
  })

let hasLeft = false

/** Starts what is in a session of its own, is nobody's child soon, keeps the log open, and ends by nothing that it is asked. */
function leaveBehind(): void {
  if (hasLeft) return
  hasLeft = true
  const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)"
  const env = { ...process.env, LEFT_BEHIND: 'yes' }
  spawn('/usr/bin/node', ['-e', script], { detached: true, stdio: ['ignore', 'inherit', 'inherit'], env }).unref()
}

const client: ExternalClient<Part> = {
  async observe(part, { externalName }) {
    const { size = 0, look, crash, leave } = part.spec.forProvider
    if (leave === true) leaveBehind()
    if (crash !== undefined) {
      console.error(crash)
      process.exit(3)
    }
    const response = await onShelf(part, externalName, 'GET')
    if (response.status === 404) return { exists: false }
    const found = (await response.json()) as { size: number; owner: string }
    return {
      exists: true,
      upToDate: found.size === size,
      readiness: 'available',
      atProvider: { size: found.size, ...(look !== undefined && { seen: (await lookAround(look)) as never }) },
      connection: { place: externalName },
    }
  },
  async create(part, { externalName }) {
    const response = await onShelf(part, externalName, 'POST', {
      size: part.spec.forProvider.size ?? 0,
      owner: part.metadata.uid ?? '',
    })
    if (response.status === 409) throw new ExternalError('AlreadyExists', `there is a part ${externalName}`)
    return {}
  },
  async update(part, { externalName }) {
    await onShelf(part, externalName, 'PUT', { size: part.spec.forProvider.size ?? 0, owner: part.metadata.uid ?? '' })
    return {}
  },
  async delete(part, { externalName }) {
    await onShelf(part, externalName, 'DELETE')
  },
}

/** A port at which it shows its metrics, and the next for its webhooks, whatever it is told; it ends when somebody else has them. */
const insists = Number(process.env['INSISTS_ON'] ?? 0)
if (insists > 0) {
  const flag = process.argv.find((argument) => argument.startsWith('--webhook-port') || argument.startsWith('--metrics-bind-address'))
  if (flag !== undefined) {
    console.error(`provider: error: unknown long flag '${flag}', try --help`)
    process.exit(1)
  }
  createPlainServer((_, response) => response.end('parts_total 1\n')).listen(insists)
}

interface Crate {
  readonly apiVersion: string
  readonly spec: { readonly forProvider: Readonly<Record<string, unknown>> }
}

interface Conversion {
  readonly apiVersion: string
  readonly kind: string
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Crate[] }
}

/** What is called `size` in the first version is called `amount` in the second. */
function converted({ apiVersion, kind, request: { uid, desiredAPIVersion, objects } }: Conversion): object {
  const isSecond = desiredAPIVersion.endsWith('/v2')
  const convertedObjects = objects.map((crate) => {
    const { size, amount, ...rest } = crate.spec.forProvider
    const value = size ?? amount
    const named = value === undefined ? {} : isSecond ? { amount: value } : { size: value }
    return { ...crate, apiVersion: desiredAPIVersion, spec: { ...crate.spec, forProvider: { ...rest, ...named } } }
  })
  return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } }
}

/** Admits parts, as the webhook servers of providers do. */
const certificates = process.env['WEBHOOK_TLS_CERT_DIR'] ?? ''
createServer(
  { key: readFileSync(join(certificates, 'tls.key')), cert: readFileSync(join(certificates, 'tls.crt')) },
  (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url?.startsWith('/convert') === true) return void response.end(JSON.stringify(converted(JSON.parse(text) as Conversion)))
      const review = JSON.parse(text) as { apiVersion: string; kind: string; request: { uid: string; object: Part } }
      const allowed = (review.request.object.spec.forProvider.size ?? 0) >= 0 && request.url?.startsWith('/validate-part') === true
      const status = { code: 422, message: 'no part is smaller than nothing' }
      const { apiVersion, kind } = review
      response.end(JSON.stringify({ apiVersion, kind, response: { uid: review.request.uid, allowed, ...(!allowed && { status }) } }))
    })
  },
).listen(insists > 0 ? insists + 1 : Number(process.env['WEBHOOK_PORT'] ?? 9443))

console.log(`the provider starts with ${process.argv.slice(2).join(' ') || 'no arguments'}`)
void runProvider(
  defineProvider({
    name: 'provider-parts',
    package: { metadata: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'provider-parts' } }, objects: [] },
    kinds: [
      managedKind({
        group: process.env['PARTS_GROUP'] ?? 'parts.example.org',
        kind: 'Part',
        connector: { connect: () => Promise.resolve(client as never) },
        adoption: 'free',
      }),
    ],
  }),
)
