import { fittingParameters } from '../config/fitting-parameters.ts'
import { decodePlain } from '../config/plain-json.ts'
import { type Parameters, toParameters } from '../config/to-parameters.ts'
import type { Field } from '../kinds/shape.ts'
import { ProviderFailure } from '../lifecycle/provider-failure.ts'
import { ResourceDriver } from '../lifecycle/resource-driver.ts'
import { type AttributePath, errorsOf } from '../protocol/diagnostic.ts'
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
  /** Of its kind: what is to be configured to get it is said in them. */
  readonly fields: readonly Field[]
}

export type UpgradedState =
  | { readonly value: Value; readonly version: number; readonly json: string; readonly parameters: Parameters }
  | { readonly problem: unknown }

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
    const restored: Restored[] = []
    for (const foreign of states) {
      try {
        const driver = new ResourceDriver(started.client, schema, foreign.type)
        const stored = foreign.form === 'stored' ? foreign.json : typed(driver, foreign.json)
        const { value } = await driver.restore({ version: foreign.version, json: stored, private: new Uint8Array() }, { signal })
        restored.push({ driver, value })
      } catch (problem) {
        restored.push({ problem })
      }
    }
    // Afterwards: a provider that ends because of a configuration has answered for all states by then.
    const upgraded: UpgradedState[] = []
    for (const [at, each] of restored.entries())
      upgraded.push('problem' in each ? each : await described(each, states[at]?.fields ?? [], signal))
    return upgraded
  } finally {
    await started.shutdown()
  }
}

type Restored = { readonly driver: ResourceDriver; readonly value: Value } | { readonly problem: unknown }

async function described(
  { driver, value }: Exclude<Restored, { readonly problem: unknown }>,
  fields: readonly Field[],
  signal: AbortSignal | undefined,
): Promise<UpgradedState> {
  const legacy = isLegacy(driver)
  const refused = (config: Value): Promise<readonly AttributePath[]> => refusedBy(driver, config, signal)
  // What goes together is a question of comfort: an import does not fail for it.
  const parameters = await fittingParameters(fields, value, { legacy, refused }).catch(() => toParameters(fields, value, { legacy }))
  const { version, json } = driver.store({ value, private: new Uint8Array(), identity: undefined })
  return { value, version, json, parameters }
}

/** Types of the older SDK have an id that could be given, for no reason. */
function isLegacy({ schema }: ResourceDriver): boolean {
  const id = schema.block.attributes.get('id')
  return id !== undefined && id.optional && id.computed
}

/** Where the provider refuses a configuration. */
async function refusedBy(driver: ResourceDriver, config: Value, signal: AbortSignal | undefined): Promise<readonly AttributePath[]> {
  try {
    await driver.validate(config, { signal })
    return []
  } catch (error) {
    if (error instanceof ProviderFailure) return errorsOf(error.diagnostics).map(({ path }) => path)
    throw error
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
