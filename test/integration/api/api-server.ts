import { createApiServer, createMemoryPki, type EmbeddedApiServer, listen, openMemoryStorage, parseTokenFile } from '@weft/apiserver'
import { type Endpoint, endpoint } from '../../differential/endpoint.ts'

/** An embedded server in memory, over HTTPS, with an administrator. */
export interface TestApi extends Endpoint {
  readonly address: string
  readonly ca: string
  readonly token: string
  readonly server: EmbeddedApiServer
  /** Failures in the background. */
  readonly errors: readonly string[]
  /** The number of objects and the revision, to see that nothing was written. */
  revision(): number
  compact(): Promise<void>
  stop(): Promise<void>
}

export async function startTestApi(options: Partial<Parameters<typeof createApiServer>[0]> = {}): Promise<TestApi> {
  const storage = openMemoryStorage()
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const token = 'administrator'
  const errors: string[] = []
  let address = 'https://127.0.0.1:0'
  const server = await createApiServer({
    storage,
    pki,
    address: () => address,
    tokens: parseTokenFile(`${token},admin,admin,system:masters\nsomebody,somebody,1\nnoisy,noisy,2`),
    onError: (what, error) => errors.push(`${what}: ${String(error)}`),
    ...options,
  })
  const front = await listen(server.handle, {
    host: '127.0.0.1',
    port: 0,
    key: pki.serving.key,
    cert: pki.serving.certificate,
    ca: pki.ca.certificatePem,
  })
  address = `https://127.0.0.1:${front.port}`
  const admin = endpoint('weft', address, pki.ca.certificatePem, token)
  return {
    ...admin,
    address,
    ca: pki.ca.certificatePem,
    token,
    server,
    errors,
    revision: () => storage.revision,
    async compact() {
      await storage.compact(storage.revision)
    },
    async stop() {
      admin.close()
      await front.close(0)
      await server.close()
      await storage.close()
    },
  }
}
