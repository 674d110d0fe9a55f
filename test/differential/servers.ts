import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createApiServer, createMemoryPki, listen, openMemoryStorage, parseTokenFile } from '@weft/apiserver'
import { ensureKubernetes } from '../kubernetes/build.mjs'
import { startKubernetes } from '../kubernetes/start.mjs'
import { type Endpoint, endpoint } from './endpoint.ts'

export interface Servers {
  readonly weft: Endpoint
  readonly kubernetes: Endpoint
  /** Failures in the background of the embedded server. */
  readonly errors: readonly string[]
  stop(): Promise<void>
}

/** Why there is nothing to compare with on this machine; undefined when there is. */
export async function missing(): Promise<string | undefined> {
  const built = await ensureKubernetes()
  return 'skipped' in built ? built.skipped : undefined
}

/**
 * Both servers, with their controllers. `WEFT_KUBERNETES` may name a file that `node test/kubernetes/start.mjs` wrote:
 * then that server is used and left running.
 */
export async function startServers(): Promise<Servers> {
  const embedded = await startEmbedded()
  const file = process.env['WEFT_KUBERNETES']
  const running = file === undefined ? await startKubernetes({ controllerManager: true }) : undefined
  const { server, ca, adminToken } =
    running ?? (JSON.parse(await readFile(file as string, 'utf8')) as { server: string; ca: string; adminToken: string })
  const kubernetes = endpoint('kubernetes', server, ca, adminToken)
  return {
    weft: embedded.endpoint,
    kubernetes,
    errors: embedded.errors,
    async stop() {
      kubernetes.close()
      await embedded.stop()
      await running?.stop()
    },
  }
}

/** The embedded server alone, over HTTPS. */
export async function startEmbedded(): Promise<{ endpoint: Endpoint; errors: string[]; stop(): Promise<void> }> {
  const storage = openMemoryStorage()
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const token = randomBytes(16).toString('hex')
  const errors: string[] = []
  let address = 'https://127.0.0.1:0'
  const server = await createApiServer({
    storage,
    pki,
    address: () => address,
    tokens: parseTokenFile(`${token},admin,admin,system:masters`),
    serve: ['all'],
    onError: (what, error) => errors.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  })
  const front = await listen(server.handle, {
    host: '127.0.0.1',
    port: 0,
    key: pki.serving.key,
    cert: pki.serving.certificate,
    ca: pki.ca.certificatePem,
  })
  address = `https://127.0.0.1:${front.port}`
  const weft = endpoint('weft', address, pki.ca.certificatePem, token)
  return {
    endpoint: weft,
    errors,
    async stop() {
      weft.close()
      await front.close(0)
      await server.close()
      await storage.close()
    },
  }
}
