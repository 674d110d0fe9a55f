import { hasReason, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { activationPolicyKind } from '../definition/kinds.ts'

/** The policy that a fresh control plane has (M9). */
export const DEFAULT_POLICY = 'default'

/**
 * M9: creates the policy that activates `patterns`, unless one of that name is there: it is a person's to change. No patterns: none is
 * made. Answers whether it was created.
 */
export async function ensureDefaultPolicy(client: Client, patterns: readonly string[] = ['*']): Promise<boolean> {
  if (patterns.length === 0) return false
  const policy: KubeObject = {
    apiVersion: `${activationPolicyKind.group}/${activationPolicyKind.version}`,
    kind: activationPolicyKind.kind,
    metadata: { name: DEFAULT_POLICY },
    spec: { activate: patterns },
  }
  if ((await client.find(activationPolicyKind, { name: DEFAULT_POLICY })) !== undefined) return false
  try {
    await client.create(policy)
    return true
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false
    throw error
  }
}
