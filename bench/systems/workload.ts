import { OBJECT, type RequestTemplate, SEQUENCE, type Target } from '../load/load.ts'
import type { Admin, System } from './system.ts'

/** What the benchmark stores: about 2 KB an object, as built-in kind and as custom resource. */
const GROUP = 'bench.weft.example'

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1 },
                  revision: { type: 'string', maxLength: 64 },
                  region: { type: 'string', enum: ['north', 'south'], default: 'north' },
                  parameters: { type: 'object', additionalProperties: { type: 'string' } },
                  ports: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

const text = (length: number): string => 'weft composes infrastructure '.repeat(Math.ceil(length / 29)).slice(0, length)
const parameters = (): Record<string, string> => Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`parameter-${i}`, text(160)]))

const configMap = (namespace: string, name: string, revision: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { app: 'bench', tier: 'load' } },
  data: { revision, ...parameters() },
})

const gadget = (namespace: string, name: string, revision: string): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Gadget',
  metadata: { name, namespace, labels: { app: 'bench', tier: 'load' } },
  spec: {
    size: 3,
    revision,
    parameters: parameters(),
    ports: [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ],
  },
})

/** How a kind is addressed, and its requests. */
export interface Workload {
  readonly collection: (namespace: string) => string
  readonly create: (namespace: string, prefix: string) => RequestTemplate
  readonly get: (namespace: string) => RequestTemplate
  /** Unconditional, and different each time. Only built-in kinds allow that. */
  readonly update: (namespace: string) => RequestTemplate
  readonly apply: (namespace: string) => RequestTemplate
}

function workload(collection: Workload['collection'], object: (namespace: string, name: string, revision: string) => object): Workload {
  const one = (namespace: string): string => `${collection(namespace)}/object-${OBJECT}`
  const stored = (namespace: string): string => JSON.stringify(object(namespace, `object-${OBJECT}`, SEQUENCE))
  return {
    collection,
    create: (namespace, prefix) => ({
      method: 'POST',
      path: collection(namespace),
      body: JSON.stringify(object(namespace, `${prefix}-${SEQUENCE}`, '1')),
    }),
    get: (namespace) => ({ method: 'GET', path: one(namespace) }),
    update: (namespace) => ({ method: 'PUT', path: one(namespace), body: stored(namespace) }),
    apply: (namespace) => ({
      method: 'PATCH',
      path: `${one(namespace)}?fieldManager=bench&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: stored(namespace),
    }),
  }
}

export const configMaps: Workload = workload((namespace) => `/api/v1/namespaces/${namespace}/configmaps`, configMap)
export const gadgets: Workload = workload((namespace) => `/apis/${GROUP}/v1/namespaces/${namespace}/gadgets`, gadget)

/** Makes the kind, the role, and a service account in a namespace of its own; answers its token. */
export async function prepareUser(admin: Admin): Promise<string> {
  await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)
  await admin.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench-users' } })
  await admin.post('/api/v1/namespaces/bench-users/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'bench' },
  })
  await admin.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'bench' },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
      { apiGroups: [GROUP], resources: ['gadgets'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
    ],
  })
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } }
  const { status } = (await admin.post('/api/v1/namespaces/bench-users/serviceaccounts/bench/token', review)) as {
    status: { token: string }
  }
  return status.token
}

/** A namespace in which the user may work. Waits until a request of theirs gets through. */
export async function prepareNamespace({ admin }: System, namespace: string): Promise<void> {
  await admin.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await admin.post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'bench' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'bench' },
    subjects: [{ kind: 'ServiceAccount', name: 'bench', namespace: 'bench-users' }],
  })
  await eventually(async () => {
    for (const { collection } of [configMaps, gadgets]) {
      const review = {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        spec: reviewSpec(collection(namespace), namespace),
      }
      const { status } = (await admin.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review)) as {
        status: { allowed: boolean }
      }
      if (!status.allowed) return false
      await admin.get(`${collection(namespace)}?limit=1`)
    }
    return true
  })
}

const reviewSpec = (path: string, namespace: string): object => ({
  user: 'system:serviceaccount:bench-users:bench',
  resourceAttributes: {
    verb: 'create',
    namespace,
    group: path.startsWith('/apis/') ? GROUP : '',
    resource: path.slice(path.lastIndexOf('/') + 1),
  },
})

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; ;) {
    try {
      if (await check()) return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    if (Date.now() > deadline) throw new Error('the role binding did not take effect within 20 s')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export function targetOf(server: string, pids: readonly number[], { ca, token }: Pick<Target, 'ca' | 'token'>): Target {
  const { hostname, port } = new URL(server)
  return { host: hostname, port: Number(port), ca, token, pids }
}
