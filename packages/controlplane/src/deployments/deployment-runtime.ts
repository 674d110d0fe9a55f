import { findCondition, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, defineKind, type InformerLease, type SharedInformers, type StaticKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  AWAITING,
  AWAITING_ACTIVATION,
  type PackageRun,
  type PackageRuntime,
  type RevisionObject,
  type RuntimeHealth,
} from '@weft/controllers'
import { parseSource } from '@weft/xpkg'
import { ensureClientTls, ensureFunctionClientTls, ensureServerTls } from '../programs/tls-secrets.ts'
import { shareInFamily } from './family-rights.ts'
import { providerRoles } from './provider-roles.ts'
import { packageLabel, REVISION_LABEL, type RuntimeObjects, runtimeObjects, type RuntimeRun, serviceName } from './runtime-objects.ts'

/** What Crossplane calls itself when it writes these objects: who comes second goes on with what the first wrote. */
const APPLY = { fieldManager: 'pkg.crossplane.io/runtime', force: true }
const PORT = 9443
const deploymentKind: StaticKind<Deployment> = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
})

interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number }
  readonly status?: { readonly observedGeneration?: number }
}

export interface DeploymentRuntimeOptions {
  readonly type: RuntimeRun['type']
  readonly client: Client
  /** Tells what becomes of Deployments. */
  readonly informers: SharedInformers
  /** Runs packages whose image is no program. */
  readonly others: PackageRuntime
}

export interface DeploymentRuntime extends PackageRuntime {
  /** Lets go. What runs in the cluster goes on. */
  close(): Promise<void>
}

/** Runs what images of packages are as Deployments of a cluster, as Crossplane does. */
export function deploymentRuntime({ type, client, informers, others }: DeploymentRuntimeOptions): DeploymentRuntime {
  const watching = new Map<string, () => void>()
  let lease: InformerLease<Deployment> | undefined
  const deployments = async (): Promise<InformerLease<Deployment>['informer']> => {
    if (lease === undefined) {
      lease = informers.acquire({ kind: deploymentKind, namespace: SYSTEM_NAMESPACE })
      lease.informer.subscribe(({ object }) => watching.get(object.metadata.labels?.[REVISION_LABEL] ?? revisionOf(object))?.())
    }
    await lease.informer.synced
    return lease.informer
  }
  /** Of a package; with a revision, of that alone. */
  const remove = async (isMeant: (deployment: Deployment) => boolean): Promise<void> => {
    for (const each of (await deployments()).list({ namespace: SYSTEM_NAMESPACE }))
      if (isMeant(each)) await client.delete(deploymentKind, { name: each.metadata.name ?? '', namespace: SYSTEM_NAMESPACE })
  }
  const isOf = (packageName: string, deployment: Deployment): boolean => selectedBy(deployment)[packageLabel(type)] === packageName

  return {
    async webhooks(packageName) {
      const tls = await ensureServerTls(client, packageName)
      return {
        service: { namespace: SYSTEM_NAMESPACE, name: packageName, port: PORT },
        caBundle: Buffer.from(tls['ca.crt']).toString('base64'),
      }
    },
    async ensure(run) {
      const { packageName, revision, contents, pending, settings, awaitsActivation, onChange } = run
      if (contents.program === undefined) return others.ensure(run)
      if (parseSource(revision.spec.image).kind !== 'image')
        return {
          healthy: false,
          reason: 'CannotStart',
          message: `${revision.spec.image} is not in a registry, from which the nodes of the cluster could fetch it: push it to one`,
        }
      const name = revision.metadata.name ?? ''
      watching.set(name, onChange)
      const given: RuntimeRun = { type, packageName, revision, templates: settings?.templates, idle: awaitsActivation !== undefined }
      const objects = runtimeObjects(given)
      await ensureServerTls(client, packageName)
      if (type === 'Provider') await ensureClientTls(client, packageName, name)
      else await ensureFunctionClientTls(client)
      await client.apply(objects.service, APPLY)
      // Most programs end when one of their kinds is not there. What ran before goes on until then.
      if (pending.length > 0) return { healthy: false, reason: AWAITING, message: `the Deployment is created when its kinds are served` }
      await remove((each) => isOf(packageName, each) && revisionOf(each) !== name)
      const deployment = await applied(client, run, given, objects)
      if (type === 'Provider') {
        const known = new Map(
          (await deployments()).list({ namespace: SYSTEM_NAMESPACE }).map((each) => [revisionOf(each), accountOf(each)]),
        )
        known.set(name, objects.account.metadata.name)
        const accountFor = ({ metadata }: RevisionObject): string => known.get(metadata.name ?? '') ?? metadata.name ?? ''
        await shareInFamily(client, { revision, contents, accountOf: accountFor, apply: APPLY })
      }
      return awaitsActivation === undefined
        ? healthOf(deployment, given)
        : { healthy: true, reason: AWAITING_ACTIVATION, message: awaitsActivation }
    },
    async stop(packageName, revisionName) {
      await others.stop(packageName, revisionName)
      if (revisionName !== undefined) watching.delete(revisionName)
      await remove((each) => isOf(packageName, each) && (revisionName === undefined || revisionOf(each) === revisionName))
    },
    async close() {
      watching.clear()
      await lease?.release()
      lease = undefined
    },
  }
}

async function applied(client: Client, { contents }: PackageRun, given: RuntimeRun, objects: RuntimeObjects): Promise<KubeObject> {
  await client.apply(objects.account, APPLY)
  if (given.type === 'Provider')
    for (const role of providerRoles(given.revision, contents, objects.account.metadata.name ?? '')) await client.apply(role, APPLY)
  return client.apply(objects.deployment, APPLY)
}

const selectedBy = (deployment: Deployment): Readonly<Record<string, string>> =>
  (deployment['spec'] as { selector?: { matchLabels?: Readonly<Record<string, string>> } } | undefined)?.selector?.matchLabels ?? {}
const accountOf = (deployment: Deployment): string | undefined =>
  (deployment['spec'] as { template?: { spec?: { serviceAccountName?: string } } } | undefined)?.template?.spec?.serviceAccountName
const revisionOf = (deployment: Deployment): string => selectedBy(deployment)[REVISION_LABEL] ?? ''

/** As the cluster sees it. */
function healthOf(deployment: Deployment, run: RuntimeRun): RuntimeHealth {
  const where = `Deployment ${SYSTEM_NAMESPACE}/${deployment.metadata.name ?? ''}`
  const available = findCondition(conditionsOf(deployment), 'Available')
  const isCurrent = (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  if (isCurrent && available?.status === 'True')
    return {
      healthy: true,
      reason: 'Available',
      ...(run.type === 'Function' && { endpoint: `dns:///${serviceName(run)}.${SYSTEM_NAMESPACE}:${PORT}` }),
    }
  const progress = findCondition(conditionsOf(deployment), 'Progressing')
  const why = [available?.message, progress?.status === 'False' ? progress.message : undefined].filter((each) => each !== undefined)
  return {
    healthy: false,
    reason: 'Unavailable',
    message: `${where} has no pod that is available${why.length === 0 ? ' yet' : `: ${why.join('; ')}`}; \`kubectl describe pods -n ${SYSTEM_NAMESPACE} -l ${REVISION_LABEL}=${run.revision.metadata.name ?? ''}\` says why`,
  }
}
