import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gvkOf, type KubeObject, type OwnerReference, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, defineKind, NoMatchError, type StaticKind } from '@weft/client'
import { isReservedGroup, PACKAGE_LABEL, PROVIDER_ACCOUNT, type RevisionObject } from '@weft/controllers'
import type { Package } from '@weft/xpkg'
import { configuredBy, FAMILY_LABEL, familyOf } from './provider-family.ts'

/** How a provider's process reaches the server. */
export interface ServerAddress {
  readonly server: string
  /** PEM. */
  readonly ca: string
}

export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

const RBAC = 'rbac.authorization.k8s.io'
const kindOf = (kind: string, plural: string, namespaced: boolean): StaticKind =>
  defineKind({ group: RBAC, version: 'v1', kind, plural, namespaced })
export const roleKind: StaticKind = kindOf('Role', 'roles', true)
export const roleBindingKind: StaticKind = kindOf('RoleBinding', 'rolebindings', true)
export const clusterRoleKind: StaticKind = kindOf('ClusterRole', 'clusterroles', false)
const clusterRoleBindingKind = kindOf('ClusterRoleBinding', 'clusterrolebindings', false)

const READ = ['get', 'list', 'watch']
const KEEP = [...READ, 'update', 'patch']
/** Long enough to outlive a control plane that is down for a while, short enough to be worth little to a thief. */
const TOKEN_SECONDS = 3600
const APPLY = { fieldManager: 'weft-packages', force: true }

/** The name of everything that gives rights to the process of a revision. */
export const accountName = (revision: RevisionObject): string => `${PROVIDER_ACCOUNT}${revision.metadata.name ?? ''}`

const metadataOf = (revision: RevisionObject, namespace?: string): KubeObject['metadata'] => {
  const owner: OwnerReference = {
    apiVersion: revision.apiVersion,
    kind: revision.kind,
    name: revision.metadata.name ?? '',
    uid: revision.metadata.uid ?? '',
    controller: true,
  }
  return {
    name: accountName(revision),
    ...(namespace !== undefined && { namespace }),
    labels: { [PACKAGE_LABEL]: revision.metadata.labels?.[PACKAGE_LABEL] ?? '' },
    // Whoever deletes the revision takes the rights along.
    ownerReferences: [owner],
  }
}

/**
 * Makes the service account of a revision's process and gives it its rights: its own kinds, the definitions that tell it which of them are
 * there (M12), what their references may point to, events, its lease. Secrets are not among them (see secretRights). Programs that Crossplane would
 * run note what they use in objects of their own kinds, and so `create` them; nobody but people deletes any.
 */
export async function ensureAccount(
  client: Client,
  revision: RevisionObject,
  { contents, creates = false }: { readonly contents: Package; readonly creates?: boolean },
): Promise<void> {
  const name = accountName(revision)
  const inNamespace = metadataOf(revision, SYSTEM_NAMESPACE)
  const subjects = [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }]
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: inNamespace }, APPLY)
  await client.apply(
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: metadataOf(revision), rules: await rulesOf(client, contents, creates) },
    APPLY,
  )
  await client.apply(
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: metadataOf(revision),
      roleRef: roleRef('ClusterRole', name),
      subjects,
    },
    APPLY,
  )
  await grantMore(client, revision, subjects)
  await shareInFamily(client, revision, { contents, creates, subjects })
  const lease: PolicyRule = {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'update', 'patch'],
    resourceNames: [name, ...leaderLeases(revision, contents)],
  }
  // Whether the control plane was restored from a backup: then nothing that is gone is made again.
  const restored: PolicyRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['weft-restored'] }
  await applyRole(client, revision, SYSTEM_NAMESPACE, [lease, { ...lease, verbs: ['create'], resourceNames: [] }, restored], '-lease')
}

/** By which programs that were made for Crossplane elect a leader, also where there is one process alone: named after what they are. */
const leaderLeases = (revision: RevisionObject, { name }: Package): readonly string[] =>
  [...new Set([name, revision.metadata.labels?.[PACKAGE_LABEL] ?? name])].map((each) => `crossplane-leader-election-${each}`)

/** On a ClusterRole: the provider whose process has its rights, too. */
export const GRANTED = 'pkg.weft.dev/aggregate-to-provider'
const grantedName = (revision: RevisionObject): string => `${accountName(revision)}-granted`

/** What administrators give to a provider besides, whichever revision of it runs: programs that were made for clusters often want to see all Secrets. */
const grantMore = (client: Client, revision: RevisionObject, subjects: readonly object[]): Promise<void> =>
  applyAggregate(client, revision, {
    name: grantedName(revision),
    matchLabels: { [GRANTED]: revision.metadata.labels?.[PACKAGE_LABEL] ?? '' },
    subjects,
  })

const familyName = (revision: RevisionObject): string => `${accountName(revision)}-family`

/**
 * Of a family, each has the rights of the others on their kinds: it uses their ProviderConfigs, notes that it does, and follows references to their resources. Whoever comes or goes
 * brings its role along or takes it away, and the server adds them up.
 */
async function shareInFamily(
  client: Client,
  revision: RevisionObject,
  { contents, creates, subjects }: { readonly contents: Package; readonly creates: boolean; readonly subjects: readonly object[] },
): Promise<void> {
  const family = familyOf(revision, contents)
  if (family === undefined) return
  const { labels, ...metadata } = metadataOf(revision)
  const shared = {
    ...metadata,
    name: `${accountName(revision)}-shared`,
    labels: { ...labels, [FAMILY_LABEL]: family },
    annotations: { ...configuredBy(contents) },
  }
  await client.apply({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: shared, rules: kindRules(contents, creates) }, APPLY)
  await applyAggregate(client, revision, { name: familyName(revision), matchLabels: { [FAMILY_LABEL]: family }, subjects })
}

interface Aggregate {
  readonly name: string
  /** Of the roles that it adds up. */
  readonly matchLabels: Readonly<Record<string, string>>
  readonly subjects: readonly object[]
}

async function applyAggregate(client: Client, revision: RevisionObject, { name, matchLabels, subjects }: Aggregate): Promise<void> {
  const metadata = { ...metadataOf(revision), name }
  await client.apply(
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } },
    APPLY,
  )
  await client.apply(
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef: roleRef('ClusterRole', metadata.name), subjects },
    APPLY,
  )
}

/** A role in one namespace, and its binding. */
export async function applyRole(
  client: Client,
  revision: RevisionObject,
  namespace: string,
  rules: readonly PolicyRule[],
  suffix = '',
): Promise<void> {
  const account = accountName(revision)
  const metadata = { ...metadataOf(revision, namespace), name: `${account}${suffix}` }
  const written = rules.map(({ resourceNames = [], ...rule }) => ({ ...rule, ...(resourceNames.length > 0 && { resourceNames }) }))
  await client.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules: written }, APPLY)
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: SYSTEM_NAMESPACE }]
  await client.apply({ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef: roleRef('Role', metadata.name), subjects }, APPLY)
}

const roleRef = (kind: string, name: string): object => ({ apiGroup: RBAC, kind, name })

/** Takes all rights away. The account stays until its revision goes. */
export async function withdrawRights(client: Client, revision: RevisionObject): Promise<void> {
  const name = accountName(revision)
  await client.delete(clusterRoleBindingKind, { name })
  await client.delete(clusterRoleBindingKind, { name: grantedName(revision) })
  await client.delete(clusterRoleBindingKind, { name: familyName(revision) })
  for (const { metadata } of (await client.list(roleBindingKind, { fieldSelector: `metadata.name=${name}` })).items)
    await client.delete(roleBindingKind, { name, namespace: metadata.namespace })
  await client.delete(roleBindingKind, { name: `${name}-lease`, namespace: SYSTEM_NAMESPACE })
}

async function rulesOf(client: Client, contents: Package, creates: boolean): Promise<readonly PolicyRule[]> {
  return [
    ...kindRules(contents, creates),
    ...(await referencesOf(client, contents.objects)),
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
    { apiGroups: ['weft.dev'], resources: ['resourcereferencedefinitions'], verbs: READ },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'update', 'patch'] },
  ]
}

/** To its own kinds. */
function kindRules({ objects }: Package, creates: boolean): readonly PolicyRule[] {
  // A definition named after a kind of Kubernetes would otherwise give its program rights on that kind.
  const own = objects.filter(
    ({ kind, ...object }) =>
      (kind === 'CustomResourceDefinition' || kind === 'ManagedResourceDefinition') &&
      !isReservedGroup((object['spec'] as { group: string }).group),
  )
  const byGroup = new Map<string, string[]>()
  for (const object of own) {
    const { group, names } = object['spec'] as { group: string; names: { plural: string } }
    byGroup.set(group, [...(byGroup.get(group) ?? []), names.plural])
  }
  return [...byGroup].map(([group, plurals]) => ({
    apiGroups: [group],
    resources: plurals.flatMap((plural) => [plural, `${plural}/status`, `${plural}/finalizers`]).toSorted(),
    verbs: creates ? [...KEEP, 'create'] : KEEP,
  }))
}

/** What the package's reference fields may point to, as far as it is served: to be read, not written. */
async function referencesOf(client: Client, objects: readonly KubeObject[]): Promise<readonly PolicyRule[]> {
  const rules = new Map<string, PolicyRule>()
  for (const object of objects) {
    if (object.kind !== 'ResourceReferenceDefinition' || gvkOf(object).group !== 'weft.dev') continue
    const { targets = [] } = (object['spec'] ?? {}) as { targets?: readonly { group: string; kind: string }[] }
    for (const target of targets) {
      try {
        const { group, plural } = await client.mapping(target)
        if (group !== '') rules.set(`${plural}.${group}`, { apiGroups: [group], resources: [plural], verbs: READ })
      } catch (error) {
        if (!(error instanceof NoMatchError)) throw error
      }
    }
  }
  return [...rules.values()]
}

/** A token for the account, good for an hour. */
async function requestToken(client: Client, revision: RevisionObject): Promise<string> {
  const { body } = await client.transport.request({
    verb: 'create',
    resource: {
      group: '',
      version: 'v1',
      plural: 'serviceaccounts',
      namespace: SYSTEM_NAMESPACE,
      name: accountName(revision),
      subresource: 'token',
    },
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: TOKEN_SECONDS } },
  })
  const { token } = (body as { status: { token: string } }).status
  return token
}

/** Credentials of a process, in a folder that it may read. */
export interface ProgramCredentials {
  /** As the process knows it. */
  readonly kubeconfig: string
  /** Writes a new token; the process reads it by itself. */
  renew(): Promise<void>
}

/** Where they are written: at once or not at all. `path` is the folder as the process knows it. */
export interface CredentialsFolder {
  readonly path: string
  write(name: string, text: string): Promise<void>
}

/** When to renew. */
export const RENEW_MS: number = (TOKEN_SECONDS * 1000) / 2

/**
 * Writes a kubeconfig, and what a pod would find of its account beside it. The token is a file of its own, so that it can be renewed while the process
 * runs.
 */
export async function writeCredentials(
  client: Client,
  revision: RevisionObject,
  { folder, address }: { readonly folder: CredentialsFolder; readonly address: ServerAddress },
): Promise<ProgramCredentials> {
  const renew = async (): Promise<void> => folder.write('token', await requestToken(client, revision))
  await renew()
  const name = accountName(revision)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: address.server, 'certificate-authority-data': Buffer.from(address.ca).toString('base64') } }],
    users: [{ name, user: { tokenFile: join(folder.path, 'token') } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: SYSTEM_NAMESPACE } }],
  }
  await folder.write('ca.crt', address.ca)
  await folder.write('namespace', SYSTEM_NAMESPACE)
  // JSON is YAML.
  await folder.write('kubeconfig', `${JSON.stringify(config, undefined, 2)}\n`)
  return { kubeconfig: join(folder.path, 'kubeconfig'), renew }
}

/** A folder of this machine, for its owner and whom its files are then shared with. */
export async function credentialsFolder(path: string, share: (path: string) => Promise<void>): Promise<CredentialsFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await share(path)
  return {
    path,
    async write(name, text) {
      const next = join(path, `${name}.${randomUUID()}`)
      await writeFile(next, text, { mode: 0o600 })
      await share(next)
      await rename(next, join(path, name))
    },
  }
}
