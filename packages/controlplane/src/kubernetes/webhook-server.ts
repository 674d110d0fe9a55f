import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServingPair } from '@weft/apiserver'
import { answerReview, type Question, type ReviewSources } from './admission-review.ts'
import type { TerraformReviewSources } from './terraform-review.ts'

/** An object is at most 3 MiB on an API server; a review of an update holds two. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

const GRACE_MS = 1_000

/** Tells authors of mistakes. */
export const VALIDATE_PATH = '/validate'
/** Keeps authors to their rights. */
export const AUTHORIZE_PATH = '/authorize'
/** Keeps what exists from being lost by mistake. */
export const GUARD_PATH = '/guard'
/** Keeps what is in use; the path that Crossplane has for it. */
export const USAGES_PATH = '/validate-no-usages'
/** Answers questions about kinds of Terraform providers. */
export const TERRAFORM_PATH = '/terraform'
const PATHS: Readonly<Record<string, Question>> = {
  [VALIDATE_PATH]: 'mistakes',
  [AUTHORIZE_PATH]: 'rights',
  [GUARD_PATH]: 'losses',
  [USAGES_PATH]: 'usages',
  [TERRAFORM_PATH]: 'terraform',
}

/** Answers the API server's admission reviews over HTTPS. Runs on every replica, leading or not. */
export interface WebhookServer {
  readonly port: number
  /** Serves with this certificate from the next connection on. */
  use(pair: ServingPair): void
  close(): Promise<void>
}

export interface WebhookServerOptions extends Omit<ReviewSources, 'terraform'> {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly pair: ServingPair
  /** With the certificate that is served: its key, which all replicas share, is what questions are sealed by. */
  terraform(pair: ServingPair): TerraformReviewSources
}

export async function startWebhookServer({ host, port, pair, terraform, ...others }: WebhookServerOptions): Promise<WebhookServer> {
  let sources: ReviewSources = { ...others, terraform: terraform(pair) }
  const server = createServer({ ...contextOf(pair), minVersion: 'TLSv1.2', requestTimeout: 30_000 }, (request, response) => {
    void respond(request, response, sources)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    use(next) {
      sources = { ...others, terraform: terraform(next) }
      server.setSecureContext(contextOf(next))
    },
    close: () =>
      new Promise((resolve) => {
        // An API server keeps its connections for a minute and a half; only reviews that are under way are worth a wait.
        const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

const contextOf = (pair: ServingPair): { key: string; cert: string } => ({ key: pair['tls.key'], cert: pair['tls.crt'] })

async function respond(request: IncomingMessage, response: ServerResponse, sources: ReviewSources): Promise<void> {
  const say = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`)
  }
  const question = PATHS[new URL(request.url ?? '/', 'https://webhook').pathname]
  if (question === undefined) return say(404, `only ${Object.keys(PATHS).join(', ')} are served here`)
  if (request.method !== 'POST') return say(405, 'send an AdmissionReview by POST')
  try {
    const body = await readBody(request)
    if (body === undefined) return say(413, `a review is at most ${MAX_BODY_BYTES} bytes`)
    const answer = await answerReview(JSON.parse(body), question, sources)
    if (answer === undefined) return say(400, 'this is not an AdmissionReview of admission.k8s.io/v1')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  } catch (error) {
    // A review that cannot be read, or a mistake of ours: the API server goes by its failure policy.
    if (!response.headersSent)
      say(error instanceof SyntaxError ? 400 : 500, error instanceof SyntaxError ? 'not JSON' : 'cannot judge this')
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
