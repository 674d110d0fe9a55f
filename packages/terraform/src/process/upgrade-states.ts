import { decodePlain } from '../config/plain-json.ts'
import { ResourceDriver } from '../lifecycle/resource-driver.ts'
import { blockType } from '../schema/block-type.ts'
import type { ProviderSchema } from '../schema/schema.ts'
import { encodeJson } from '../value/json.ts'
import type { Value } from '../value/value.ts'
import { type ProviderLog, startProvider } from './start-provider.ts'

/** A state that somebody else stored. */
export interface ForeignState {
  readonly type: string
  readonly version: number
  readonly json: string
  /** `plain`: without the types of what is dynamic. */
  readonly form: 'stored' | 'plain'
}

export type UpgradedState = { readonly value: Value; readonly version: number; readonly json: string } | { readonly problem: unknown }

export interface UpgradeOptions {
  readonly schema: ProviderSchema
  readonly log: ProviderLog
  readonly signal?: AbortSignal | undefined
}

/**
 * States by the schema that the provider has now. Asks its program, as is done with every state before it is used (T75), also for states of the same
 * version; it is started once for all of them, and is not configured: no credentials are needed, and nothing is read from what the states are about.
 */
export async function upgradeStates(
  executable: string,
  states: readonly ForeignState[],
  { schema, log, signal }: UpgradeOptions,
): Promise<readonly UpgradedState[]> {
  const started = await startProvider({ executable, log })
  try {
    // Some providers must be asked before anything else.
    if (!schema.capabilities.schemaOptional) await started.client.schema({ signal })
    const upgraded: UpgradedState[] = []
    for (const { type, version, json, form } of states) {
      try {
        const driver = new ResourceDriver(started.client, schema, type)
        const stored = form === 'stored' ? json : typed(driver, json)
        const state = await driver.restore({ version, json: stored, private: new Uint8Array() }, { signal })
        upgraded.push({ value: state.value, version: driver.schema.version, json: driver.store(state).json })
      } catch (problem) {
        upgraded.push({ problem })
      }
    }
    return upgraded
  } finally {
    await started.shutdown()
  }
}

/** With the types of what is dynamic. A state of another version may not be of the type that there is now: as it is. */
function typed({ schema }: ResourceDriver, json: string): string {
  const type = blockType(schema.block)
  try {
    return encodeJson(type, decodePlain(type, json))
  } catch {
    return json
  }
}
