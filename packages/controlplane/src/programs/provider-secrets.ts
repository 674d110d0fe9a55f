import type { Client, InformerLease, SharedInformers } from '@weft/client'
import { type NamedSecret, namedSecrets, type RevisionObject } from '@weft/controllers'
import { openCrdGate } from '@weft/provider-sdk'
import type { Package } from '@weft/xpkg'
import { accountName, applyRole, clusterRoleKind, type PolicyRule, roleBindingKind, roleKind } from './provider-account.ts'
import { configurationKinds, FAMILY_LABEL, familyOf } from './provider-family.ts'

/** Many resources come at once: their rights are written together. */
const GATHER_MS = 50

/** Keeps the rights to secrets in step with what refers to them. */
export interface SecretRights {
  close(): Promise<void>
}

interface SecretRightsOptions {
  readonly client: Client
  readonly informers: SharedInformers
  readonly revision: RevisionObject
  readonly contents: Package
  readonly onError: (error: unknown) => void
}

/**
 * A provider reads and writes exactly the secrets that resources of its kinds name: `writeConnectionSecretToRef` to write, every other
 * `…secretRef` (credentials, passwords) to read. RBAC cannot say that once and for all, so a role in each namespace lists them by name and
 * follows the resources. Creating a secret cannot be limited to names: it is allowed in those namespaces. Of its family it reads what their ProviderConfigs name.
 */
export function secretRights({ client, informers, revision, contents, onError }: SecretRightsOptions): SecretRights {
  const gate = openCrdGate(informers)
  const leases: InformerLease[] = []
  const unsubscribes: (() => void)[] = []
  const needs = new Map<string, readonly NamedSecret[]>()
  const written = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let tail = Promise.resolve()
  let closed = false

  const sync = async (): Promise<void> => {
    if (closed) return
    const wanted = rolesFor([...needs.values()].flat())
    for (const [namespace, rules] of wanted) {
      const text = JSON.stringify(rules)
      if (written.get(namespace) === text) continue
      await applyRole(client, revision, namespace, rules)
      written.set(namespace, text)
    }
    for (const namespace of [...written.keys()].filter((each) => !wanted.has(each))) {
      const ref = { name: accountName(revision), namespace }
      await client.delete(roleBindingKind, ref)
      await client.delete(roleKind, ref)
      written.delete(namespace)
    }
  }
  const later = (delay = GATHER_MS): void => {
    if (closed) return
    timer ??= setTimeout(() => {
      timer = undefined
      tail = tail.then(sync).catch((error: unknown) => {
        onError(error)
        // A namespace that is not there yet, a server that is busy.
        later(GATHER_MS * 40)
      })
    }, delay)
  }
  const followed = new Set<string>()
  const follow = (kind: { readonly group: string; readonly kind: string }, isOwn: boolean): void => {
    const what = `${kind.kind}.${kind.group}`
    if (followed.has(what)) return
    followed.add(what)
    gate.whenServed(kind, () => {
      const lease = informers.acquire({ kind })
      lease.informer.synced.catch(() => undefined)
      leases.push(lease)
      unsubscribes.push(
        lease.informer.subscribe((change) => {
          const key = `${what}/${change.object.metadata.namespace ?? ''}/${change.object.metadata.name ?? ''}`
          const named = change.type === 'deleted' ? [] : namedSecrets(change.object)
          const found = isOwn ? named : named.filter(({ write }) => !write)
          const before = needs.get(key) ?? []
          if (found.length === 0) needs.delete(key)
          else needs.set(key, found)
          if (JSON.stringify(found) !== JSON.stringify(before)) later()
        }),
      )
    })
  }
  for (const { kind, ...object } of contents.objects) {
    if (kind !== 'CustomResourceDefinition' && kind !== 'ManagedResourceDefinition') continue
    const { group, names } = object['spec'] as { group: string; names: { kind: string } }
    follow({ group, kind: names.kind }, true)
  }
  const family = familyOf(revision, contents)
  if (family !== undefined) {
    const lease = informers.acquire({ kind: clusterRoleKind, labels: { matchLabels: { [FAMILY_LABEL]: family } } })
    lease.informer.synced.catch(() => undefined)
    leases.push(lease)
    // What its family no longer has is no longer served, and names nothing.
    unsubscribes.push(lease.informer.subscribe(({ object }) => configurationKinds(object).forEach((kind) => follow(kind, false))))
  }
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await gate.close()
      for (const unsubscribe of unsubscribes) unsubscribe()
      await Promise.all(leases.map((lease) => lease.release()))
      await tail
    },
  }
}

function rolesFor(needs: readonly NamedSecret[]): ReadonlyMap<string, readonly PolicyRule[]> {
  const namespaces = new Map<string, { readonly read: Set<string>; readonly write: Set<string> }>()
  for (const { namespace, name, write } of needs) {
    let names = namespaces.get(namespace)
    if (names === undefined) namespaces.set(namespace, (names = { read: new Set(), write: new Set() }))
    ;(write ? names.write : names.read).add(name)
  }
  const rule = (verbs: readonly string[], names: ReadonlySet<string> = new Set()): PolicyRule[] => [
    { apiGroups: [''], resources: ['secrets'], verbs, resourceNames: [...names].toSorted() },
  ]
  const roles = new Map<string, readonly PolicyRule[]>()
  for (const [namespace, { read, write }] of namespaces)
    roles.set(namespace, [
      ...(read.size > 0 ? rule(['get'], read) : []),
      ...(write.size > 0 ? [...rule(['get', 'update', 'patch', 'delete'], write), ...rule(['create'])] : []),
    ])
  return roles
}
