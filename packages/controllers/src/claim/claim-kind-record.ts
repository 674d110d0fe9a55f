import { formatGroupKind, type GroupKind, hasReason, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, type ConfigMap, configMapKind, type CustomResourceDefinition } from '@weft/client'

/**
 * Kinds that are claims only because a class said so. Nothing about them tells, once the last class has gone, that their objects are held by our finalizer; so
 * they are written down before the first of them is held, and stay so.
 */
export const CLAIM_KINDS_NAME = 'weft-claim-kinds'
const ADDRESS = { namespace: SYSTEM_NAMESPACE, name: CLAIM_KINDS_NAME }

export class ClaimKindRecord {
  readonly #client: Client
  readonly #kinds = new Map<string, GroupKind>()

  constructor(client: Client) {
    this.#client = client
  }

  get kinds(): readonly GroupKind[] {
    return [...this.#kinds.values()]
  }

  has(kind: GroupKind): boolean {
    return this.#kinds.has(formatGroupKind(kind))
  }

  async load(): Promise<void> {
    for (const kind of await recordedClaimKinds(this.#client)) this.#kinds.set(formatGroupKind(kind), kind)
  }

  /** Adds, whoever else adds in the same moment. */
  async add(definitions: readonly CustomResourceDefinition[]): Promise<void> {
    const data = Object.fromEntries(definitions.map(({ spec }) => [`${spec.names.plural}.${spec.group}`, spec.names.kind]))
    const write = (): Promise<ConfigMap> => this.#client.patch(configMapKind, ADDRESS, { type: 'merge', body: { data } })
    try {
      await write()
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
      // Applied empty, it is made by its name, which is all that we are allowed to, and takes nothing from whoever was quicker.
      await this.#client.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: ADDRESS })
      await write()
    }
    for (const { spec } of definitions) {
      const kind = { group: spec.group, kind: spec.names.kind }
      this.#kinds.set(formatGroupKind(kind), kind)
    }
  }
}

/** The kinds that are written down; each by the name of its definition, which is short enough for a key. */
export async function recordedClaimKinds(client: Client): Promise<readonly GroupKind[]> {
  const record = await client.find(configMapKind, ADDRESS)
  return Object.entries(record?.data ?? {}).map(([name, kind]) => ({ group: name.slice(name.indexOf('.') + 1), kind }))
}
