import { messageOf } from '@weft/api'
import {
  createApiServer,
  createMemoryPki,
  describeException,
  formatKubeconfig,
  type Front,
  listen,
  openMemoryStorage,
} from '@weft/apiserver'
import { createClient, type Transport } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { installKinds } from './kinds.ts'
import { kubernetesAccess } from './kubernetes-access.ts'
import { kubernetesServer } from './kubernetes-server.ts'
import { ADMINISTRATOR, type TestServer, type TestServerOptions, type TestUser } from './test-server.ts'

/** What the tests of this run use. On a real server the options of the embedded one have no meaning. */
export function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const access = kubernetesAccess()
  return access === undefined ? startEmbeddedServer(options) : kubernetesServer(access, options.kinds)
}

/** An embedded API server in memory: no files, and no sockets unless asked for. */
async function startEmbeddedServer({ kinds = [], ...options }: TestServerOptions): Promise<TestServer> {
  const storage = openMemoryStorage()
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const errors: string[] = []
  const exceptions: string[] = []
  let address = 'https://127.0.0.1:0'
  const server = await createApiServer({
    storage,
    pki,
    address: () => address,
    onError: (what, error) => errors.push(`${what}: ${messageOf(error)}`),
    onException: (exception) => exceptions.push(describeException(exception)),
    ...options,
  })
  const fronts: Front[] = []
  const transportAs = (user: TestUser): Transport => inProcessTransport(server.handle, user)
  const transport = transportAs(ADMINISTRATOR)
  const client = createClient({ transport, fieldManager: 'test' })
  await installKinds(client, kinds)
  return {
    client,
    transport,
    errors,
    transportAs,
    clientAs: (user, more) => createClient({ transport: transportAs(user), fieldManager: 'test', ...more }),
    async listen(port = 0) {
      const front = await listen(server.handle, {
        host: '127.0.0.1',
        port,
        key: pki.serving.key,
        cert: pki.serving.certificate,
        ca: pki.ca.certificatePem,
        onError: (_, error) => exceptions.push(String(error)),
      })
      fronts.push(front)
      address = `https://127.0.0.1:${front.port}`
      return { address, kubeconfig: formatKubeconfig({ server: address, ca: pki.ca.certificatePem, user: pki.admin }), front }
    },
    async close() {
      await transport.close()
      for (const front of fronts) await front.close(0)
      await server.close()
      await storage.close()
      // Whatever the test was about: a fault of the server fails it.
      if (exceptions.length > 0) throw new Error(exceptions.join('\n'))
    },
  }
}
