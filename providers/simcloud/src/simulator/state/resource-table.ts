import { keyOf, type StoredResource } from '../resources/stored-resource.ts'

/** Resources in memory, with the indexes that the rules of a cloud ask for. */
export class ResourceTable {
  readonly #byKey = new Map<string, StoredResource>()
  /** `cloud/account/kind` → name → resource. */
  readonly #byAccount = new Map<string, Map<string, StoredResource>>()
  /** `cloud/kind/name` → the accounts that use the name. */
  readonly #owners = new Map<string, Set<string>>()
  /** `cloud/account/kind/token` → key. */
  readonly #byToken = new Map<string, string>()
  readonly #children = new Map<string, Set<string>>()

  get size(): number {
    return this.#byKey.size
  }

  get(key: string): StoredResource | undefined {
    return this.#byKey.get(key)
  }

  all(): Iterable<StoredResource> {
    return this.#byKey.values()
  }

  inAccount(cloud: string, account: string, kind: string): ReadonlyMap<string, StoredResource> {
    return this.#byAccount.get(`${cloud}/${account}/${kind}`) ?? new Map()
  }

  accountsUsing(cloud: string, kind: string, name: string): ReadonlySet<string> {
    return this.#owners.get(`${cloud}/${kind}/${name}`) ?? new Set()
  }

  byToken(cloud: string, account: string, kind: string, token: string): StoredResource | undefined {
    const key = this.#byToken.get(`${cloud}/${account}/${kind}/${token}`)
    return key === undefined ? undefined : this.#byKey.get(key)
  }

  childrenOf(key: string): ReadonlySet<string> {
    return this.#children.get(key) ?? new Set()
  }

  set(resource: StoredResource): void {
    const key = keyOf(resource)
    this.remove(key)
    const { cloud, account, kind, name, clientToken } = resource
    this.#byKey.set(key, resource)
    reach(this.#byAccount, `${cloud}/${account}/${kind}`, () => new Map<string, StoredResource>()).set(name, resource)
    reach(this.#owners, `${cloud}/${kind}/${name}`, () => new Set<string>()).add(account)
    if (clientToken !== undefined) this.#byToken.set(`${cloud}/${account}/${kind}/${clientToken}`, key)
    for (const parent of resource.parents) reach(this.#children, parent, () => new Set<string>()).add(key)
  }

  remove(key: string): void {
    const resource = this.#byKey.get(key)
    if (resource === undefined) return
    const { cloud, account, kind, name, clientToken } = resource
    this.#byKey.delete(key)
    drop(this.#byAccount, `${cloud}/${account}/${kind}`, name)
    drop(this.#owners, `${cloud}/${kind}/${name}`, account)
    if (clientToken !== undefined) this.#byToken.delete(`${cloud}/${account}/${kind}/${clientToken}`)
    for (const parent of resource.parents) drop(this.#children, parent, key)
  }
}

function reach<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

/** Removes from a group and the group with its last member: names come and go, and must leave nothing behind. */
function drop(groups: Map<string, Map<string, unknown> | Set<string>>, group: string, member: string): void {
  const members = groups.get(group)
  members?.delete(member)
  if (members?.size === 0) groups.delete(group)
}
