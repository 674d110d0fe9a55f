import { formatGroupVersion, hasReason, type KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { activationPolicyKind } from '../definition/kinds.ts'

/** The policy that a fresh control plane has (M9). */
export const DEFAULT_POLICY = 'default'
/** On the kind of policies: the default one was made, and is not made again. */
const MADE = 'weft.dev/default-policy-made'

/**
 * M9: creates the policy that activates `patterns`, unless one of that name is there or was: it is a person's to change, and to delete. No
 * patterns: none is made. That it was made once is written on the kind of policies, which lives as long as Weft does. Answers whether it was created.
 */
export async function ensureDefaultPolicy(client: Client, patterns: readonly string[] = ['*']): Promise<boolean> {
  if (patterns.length === 0) return false
  const policy: KubeObject = {
    apiVersion: formatGroupVersion(activationPolicyKind),
    kind: activationPolicyKind.kind,
    metadata: { name: DEFAULT_POLICY },
    spec: { activate: patterns },
  }
  const ref = { name: `${activationPolicyKind.plural}.${activationPolicyKind.group}` }
  const kind = await client.find(customResourceDefinitionKind, ref)
  if (kind?.metadata.annotations?.[MADE] === 'true') return false
  const remember = async (): Promise<void> => {
    if (kind !== undefined)
      await client.patch(customResourceDefinitionKind, ref, { type: 'merge', body: { metadata: { annotations: { [MADE]: 'true' } } } })
  }
  try {
    const isThere = (await client.find(activationPolicyKind, { name: DEFAULT_POLICY })) !== undefined
    if (!isThere) await client.create(policy)
    await remember()
    return !isThere
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false
    throw error
  }
}
