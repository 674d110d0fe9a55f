import { isJsonObject, type KubeObject, type OwnerReference, SYSTEM_NAMESPACE } from '@weft/api'
import type { RevisionObject, RuntimeTemplates } from '@weft/controllers'
import { parseSource, repositoryOf } from '@weft/xpkg'
import { CLIENT_CERTIFICATES, SERVER_CERTIFICATES } from '../programs/tls-secrets.ts'

/** What runs in a cluster for a revision: the objects that Crossplane makes, under its names, so that what one made the other goes on with. */
export interface RuntimeObjects {
  readonly service: KubeObject
  readonly account: KubeObject
  readonly deployment: KubeObject
}

export interface RuntimeRun {
  readonly type: 'Provider' | 'Function'
  readonly packageName: string
  readonly revision: RevisionObject
  readonly templates: RuntimeTemplates | undefined
  /** It is to have no pods yet, whatever the templates say. */
  readonly idle?: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** The container that is the program, whatever else somebody adds. */
export const RUNTIME_CONTAINER = 'package-runtime'
export const REVISION_LABEL = 'pkg.crossplane.io/revision'
export const packageLabel = (type: RuntimeRun['type']): string => `pkg.crossplane.io/${type.toLowerCase()}`

const PORT = 9443
const METRICS_PORT = 8080
/** Nobody that any machine knows. */
const USER = 2000

/** The objects of a revision. Pure. What somebody's templates say counts, but for who owns them, what they select and what the program is told. */
export function runtimeObjects(run: RuntimeRun): RuntimeObjects {
  const account = accountOf(run)
  return { service: serviceOf(run), account, deployment: deploymentOf(run, account.metadata.name ?? '') }
}

export const serviceName = ({ packageName, templates }: Pick<RuntimeRun, 'packageName' | 'templates'>): string =>
  templates?.serviceTemplate?.metadata?.name ?? packageName

const labelsOf = ({ type, packageName, revision }: RuntimeRun): Readonly<Record<string, string>> => ({
  [REVISION_LABEL]: revision.metadata.name ?? '',
  [packageLabel(type)]: packageName,
})

function metadataOf(
  name: string,
  template: TemplateMetadata | undefined,
  ownerReferences: readonly OwnerReference[],
): KubeObject['metadata'] {
  const { labels, annotations, name: given = name } = template ?? {}
  return {
    name: given,
    namespace: SYSTEM_NAMESPACE,
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ownerReferences,
  }
}

type TemplateMetadata = NonNullable<NonNullable<RuntimeTemplates['serviceTemplate']>['metadata']>

const byRevision = ({ revision: { apiVersion, kind, metadata } }: RuntimeRun): readonly OwnerReference[] => [
  { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
]

/** Of what there is once for all revisions. Whoever was its controller may go on being so. */
const byPackage = ({ revision }: RuntimeRun): readonly OwnerReference[] =>
  (revision.metadata.ownerReferences ?? [])
    .filter(({ controller }) => controller === true)
    .map(({ apiVersion, kind, name, uid }) => ({ apiVersion, kind, name, uid }))

function serviceOf(run: RuntimeRun): KubeObject {
  const port = run.type === 'Provider' ? { name: 'webhook' } : { name: 'grpc', appProtocol: 'tls' }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(run.packageName, run.templates?.serviceTemplate?.metadata, byPackage(run)),
    spec: {
      // Callers of a function choose among its pods themselves.
      ...(run.type === 'Function' && { clusterIP: 'None' }),
      selector: labelsOf(run),
      ports: [{ ...port, protocol: 'TCP', port: PORT, targetPort: port.name }],
    },
  }
}

const accountOf = (run: RuntimeRun): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: metadataOf(run.revision.metadata.name ?? '', run.templates?.serviceAccountTemplate?.metadata, byRevision(run)),
})

function deploymentOf(run: RuntimeRun, account: string): KubeObject {
  const { deploymentTemplate } = run.templates ?? {}
  const given = fieldsOf(deploymentTemplate?.spec)
  const template = fieldsOf(given['template'])
  const metadata = fieldsOf(template['metadata'])
  const labels = labelsOf(run)
  const scraped = run.type === 'Provider' ? SCRAPED : {}
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(run.revision.metadata.name ?? '', deploymentTemplate?.metadata, byRevision(run)),
    spec: {
      ...given,
      replicas: run.idle === true ? 0 : (given['replicas'] ?? 1),
      selector: { matchLabels: labels },
      template: {
        ...template,
        metadata: {
          ...metadata,
          labels: { ...fieldsOf(metadata['labels']), ...labels },
          annotations: { ...scraped, ...fieldsOf(metadata['annotations']) },
        },
        spec: podOf(run, fieldsOf(template['spec']), account),
      },
    },
  }
}

const SCRAPED = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(METRICS_PORT), 'prometheus.io/path': '/metrics' }

function podOf(run: RuntimeRun, given: Fields, account: string): object {
  const containers = listOf(given['containers'])
  const others = containers.filter(({ name }) => name !== RUNTIME_CONTAINER)
  const own = containers.find(({ name }) => name === RUNTIME_CONTAINER) ?? {}
  const volumes = certificatesOf(run)
  return {
    ...given,
    serviceAccountName: given['serviceAccountName'] ?? account,
    securityContext: given['securityContext'] ?? { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER },
    imagePullSecrets: run.revision.spec.packagePullSecrets ?? [],
    containers: [containerOf(run, own), ...others],
    volumes: [
      ...without(
        given['volumes'],
        volumes.map(({ name }) => name),
      ),
      ...volumes.map(({ name, secretName }) => ({
        name,
        secret: { secretName, items: ['tls.crt', 'tls.key', 'ca.crt'].map((key) => ({ key, path: key })) },
      })),
    ],
  }
}

function containerOf(run: RuntimeRun, given: Fields): object {
  const { packagePullPolicy } = run.revision.spec
  const volumes = certificatesOf(run)
  const ports = [
    { name: 'metrics', containerPort: METRICS_PORT },
    { name: run.type === 'Provider' ? 'webhook' : 'grpc', containerPort: PORT },
  ]
  const env = environmentOf(run)
  return {
    ...given,
    name: RUNTIME_CONTAINER,
    image: given['image'] ?? imageOf(run.revision),
    ...(packagePullPolicy !== undefined && { imagePullPolicy: packagePullPolicy }),
    securityContext: given['securityContext'] ?? {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      allowPrivilegeEscalation: false,
      privileged: false,
    },
    ports: [
      ...without(
        given['ports'],
        ports.map(({ name }) => name),
      ),
      ...ports,
    ],
    // Who it is and where it finds its files does not change.
    env: [
      ...without(
        given['env'],
        env.map(({ name }) => name),
      ),
      ...env,
    ],
    volumeMounts: [
      ...without(
        given['volumeMounts'],
        volumes.map(({ name }) => name),
      ),
      ...volumes.map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
    ],
  }
}

/** The bytes that were checked, whatever becomes of the tag. */
function imageOf({ spec, status }: RevisionObject): string {
  const source = parseSource(status?.resolvedImage ?? spec.image)
  return `${repositoryOf(source)}@${spec.digest ?? ''}`
}

interface Certificates {
  readonly name: string
  readonly secretName: string
  readonly mountPath: string
}

const certificatesOf = ({ type, packageName }: RuntimeRun): readonly Certificates[] => [
  { name: 'tls-server-certs', secretName: `${packageName}-tls-server`, mountPath: SERVER_CERTIFICATES },
  ...(type === 'Provider' ? [{ name: 'tls-client-certs', secretName: `${packageName}-tls-client`, mountPath: CLIENT_CERTIFICATES }] : []),
]

function environmentOf({ type, revision }: RuntimeRun): readonly { readonly name: string }[] {
  const field = (name: string, fieldPath: string): { readonly name: string } => ({ name, valueFrom: { fieldRef: { fieldPath } } }) as never
  const value = (name: string, text: string): { readonly name: string } => ({ name, value: text }) as never
  const label = (of: string): string => `metadata.labels['${of}']`
  const uid = value('REVISION_UID', revision.metadata.uid ?? '')
  const shared = [field('REVISION_NAME', label(REVISION_LABEL)), uid, value('TLS_SERVER_CERTS_DIR', SERVER_CERTIFICATES)]
  if (type === 'Function') return [field('FUNCTION_NAME', label(packageLabel(type))), ...shared]
  return [
    field('POD_NAMESPACE', 'metadata.namespace'),
    field('PROVIDER_NAME', label(packageLabel(type))),
    ...shared,
    value('TLS_CLIENT_CERTS_DIR', CLIENT_CERTIFICATES),
    value('WEBHOOK_TLS_CERT_DIR', '$(TLS_SERVER_CERTS_DIR)'),
  ]
}

const fieldsOf = (value: unknown): Fields => (isJsonObject(value) ? value : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const without = (value: unknown, names: readonly string[]): readonly Fields[] =>
  listOf(value).filter(({ name }) => typeof name !== 'string' || !names.includes(name))
