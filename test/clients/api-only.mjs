// An informer, and the writes that it sees, with the official client. Prints each event.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { KubeConfig, CoreV1Api, makeInformer } = createRequire(join(process.env.CLIENT, 'x.js'))('@kubernetes/client-node')
const config = new KubeConfig()
config.loadFromDefault()
const api = config.makeApiClient(CoreV1Api)
const namespace = 'default'
const labelSelector = 'from=typescript'
const list = () => api.listNamespacedConfigMap({ namespace, labelSelector })
const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list, labelSelector)

const body = { metadata: { name: 'a', labels: { from: 'typescript' } }, data: { k: '1' } }
// One write after the other: an informer shows states, and may skip those in between.
const next = {
  add: () => api.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...body, data: { k: '2' } } }),
  update: () => api.deleteNamespacedConfigMap({ namespace, name: 'a' }),
  delete: () => informer.stop(),
}
for (const [event, write] of Object.entries(next))
  informer.on(event, (object) => {
    console.log(event, object.metadata.name)
    void write()
  })
informer.on('connect', () => void 0)
await informer.start()
await api.createNamespacedConfigMap({ namespace, body })
