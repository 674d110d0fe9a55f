import type { KubeObject } from '@weft/api'
import { type Client, createClient, customResourceDefinitionKind, httpTransport, type Transport } from '@weft/client'
import { cleanServer } from './clean-server.ts'
import { installKinds, kept } from './kinds.ts'
import type { KubernetesAccess } from './kubernetes-access.ts'
import type { TestServer, TestUser } from './test-server.ts'

/** A real server as a test server: used by one test after the other, and left without anything but kinds that the next one may want too. */
export async function kubernetesServer(access: KubernetesAccess, kinds: readonly KubeObject[] = []): Promise<TestServer> {
  const { server, ca, adminToken: token } = access
  const opened: Transport[] = []
  const open = (user?: TestUser): Transport => {
    const impersonate = user && { username: user.username, groups: user.groups.filter((group) => group !== 'system:authenticated') }
    const transport = httpTransport({ server, ca, token, userAgent: 'weft-test', impersonate })
    opened.push(transport)
    return transport
  }
  const transport = open()
  const client = createClient({ transport, fieldManager: 'test' })
  const wanted = kinds.map(kept)
  await cleanServer(client, wanted)
  const there = new Map((await client.list(customResourceDefinitionKind)).items.map((kind) => [kind.metadata.name, kind]))
  await Promise.all(wanted.map((kind) => forgetNotes(client, kind, there.get(kind.metadata.name))))
  await installKinds(
    client,
    wanted.filter(({ metadata }) => !there.has(metadata.name)),
  )
  return {
    client,
    transport,
    errors: [],
    transportAs: open,
    clientAs: (user, more) => createClient({ transport: open(user), fieldManager: 'test', ...more }),
    listen: () => Promise.resolve({ address: server, kubeconfig: kubeconfigOf(access), front: { close: () => Promise.resolve() } }),
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      const admin = httpTransport({ server, ca, token })
      await cleanServer(createClient({ transport: admin }), 'kept')
      await admin.close()
    },
  }
}

/** Takes off a kind that stayed what the control plane of another test noted on it: to the next one, the server is new. */
async function forgetNotes(client: Client, wanted: KubeObject, stored: KubeObject | undefined): Promise<void> {
  const { name = '', annotations: own = {} } = wanted.metadata
  const notes = Object.keys(stored?.metadata.annotations ?? {}).filter((key) => !Object.hasOwn(own, key))
  if (notes.length === 0) return
  const annotations = Object.fromEntries(notes.map((key) => [key, null]))
  await client.patch(customResourceDefinitionKind, { name }, { type: 'merge', body: { metadata: { annotations } } })
}

/** JSON is YAML. */
export const kubeconfigOf = ({ server, ca, adminToken }: KubernetesAccess): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  })
