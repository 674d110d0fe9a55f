import type { JsonValue, ProviderChange, ProviderPlan } from '@weft/api'
import { managementOf } from '@weft/provider-sdk'
import { type AttributePath, diagnosticText, isMap, isUnknown, type Plan, type ResourceState } from '@weft/terraform'
import type { BridgedResource } from './bridged-resource.ts'
import { fieldPath } from './field-path.ts'
import { importKey } from './import-key.ts'
import type { ResourceRecord } from './resource-record.ts'
import { shownAt } from './shown-at.ts'

export interface PreviewOptions {
  /** What is known of what exists. */
  readonly record: ResourceRecord | undefined
  readonly signal: AbortSignal
  unknown(text: string): boolean
}

/** What a provider would do about a resource. It reads what there is and plans; nothing is made, changed or written down. */
export async function preview(it: BridgedResource, { record, signal, unknown }: PreviewOptions): Promise<ProviderPlan> {
  if (it.of.sort === 'data') return { action: 'none', fields: [], causes: [], warnings: [] }
  const management = managementOf(it.resource)
  if (management.kind !== 'manage') return { action: 'unknown', why: management.message }
  const { create, update } = management.policy
  if (!create && !update) return { action: 'none', fields: [], causes: [], warnings: [] }
  it.mustReach(record)
  const prior = await currentState(it, record, signal)
  if (prior === undefined && !create)
    return { action: 'unknown', why: 'it does not exist, and managementPolicies do not allow creating it' }
  const config = await it.config(prior?.value ?? null, signal, unknown)
  const plan = await it.ask(async (driver) => {
    await driver.validate(config, { signal })
    return driver.plan(prior, config, { signal })
  })
  it.knows(plan.planned)
  const { fields } = it.of
  const texts = (paths: readonly AttributePath[]): string[] => [...new Set(paths.map((path) => fieldPath(fields, path)))]
  const warnings = plan.warnings.filter(({ severity }) => severity === 'warning').map((each) => it.shown(diagnosticText(each)))
  if (record?.tainted !== undefined) warnings.push(`it was only partly created (${record.tainted})`)
  if (plan.action === 'update' && !update) {
    warnings.push(`it differs in ${texts(plan.changes).join(', ')}, which managementPolicies without Update leave as it is`)
    return { action: 'none', fields: [], causes: [], warnings }
  }
  const action = plan.action === 'delete' ? 'none' : plan.action
  return { action, fields: changesOf(it, plan), causes: texts(plan.causes), warnings }
}

/** As an observation finds it, without writing down what that found. */
async function currentState(
  it: BridgedResource,
  record: ResourceRecord | undefined,
  signal: AbortSignal,
): Promise<ResourceState | undefined> {
  const options = { signal }
  const stored = record?.state
  if (stored !== undefined) {
    const state = await it.ask(async (driver) => driver.read(await driver.restore(stored, options), options))
    if (state !== undefined) it.knows(state.value)
    return state
  }
  const name = it.externalName
  if (name === undefined || record?.gone === true) return undefined
  const found = await it.ask((driver) => driver.import(importKey(it.of, name), options))
  if (found !== undefined) it.knows(found.value)
  return found
}

/** Of something new what the provider adds to what was asked for; of what exists what would be different. */
function changesOf(it: BridgedResource, plan: Plan): readonly ProviderChange[] {
  const { fields } = it.of
  const prior = plan.prior?.value ?? null
  const paths = plan.action === 'create' ? decided(plan) : plan.action === 'replace' ? [...plan.changes, ...reopened(plan)] : plan.changes
  const changes = paths.map((path): ProviderChange => {
    const before = plan.action === 'create' ? undefined : shownAt(fields, prior, path)
    const after = shownAt(fields, plan.planned, path)
    const hidden = (value: JsonValue): unknown => withoutSecrets(value, (text) => it.shown(text))
    return {
      path: fieldPath(fields, path),
      ...(before !== undefined && { before: hidden(before) }),
      ...(after !== undefined && { after: hidden(after) }),
    }
  })
  const told = changes.filter(({ before, after }) => before !== undefined || after !== undefined)
  return [...new Map(told.map((change) => [change.path, change])).values()]
}

/** A secret may be part of what nobody called sensitive: an address with a password in it. */
function withoutSecrets(value: unknown, shown: (text: string) => string): unknown {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, shown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutSecrets(each, shown)]))
}

/** Attributes that are planned otherwise than configured. */
function decided({ planned, config }: Plan): readonly AttributePath[] {
  if (!isMap(planned) || !isMap(config)) return []
  return [...planned.keys()]
    .filter((name) => config.get(name) === null && planned.get(name) !== null)
    .toSorted()
    .map((name) => [{ type: 'attribute', name }])
}

/** Attributes of what takes the place of another that are known of that, and not yet of the new one: its id. */
function reopened({ planned, prior }: Plan): readonly AttributePath[] {
  const before = prior?.value ?? null
  if (!isMap(planned) || !isMap(before)) return []
  return [...planned].flatMap(([name, value]) =>
    isUnknown(value) && before.get(name) !== null ? [[{ type: 'attribute', name } as const]] : [],
  )
}
