import {
  gvkOf,
  type KubeObject,
  messageOf,
  type PlanAnswer,
  type PlanQuestion,
  type ProviderPlan,
  type StateAnswer,
  type StateQuestion,
  type StatesAnswer,
} from '@weft/api'
import { statedName } from '@weft/bridge'
import type { Client } from '@weft/client'
import { type ManagedResourceDefinition, managedResourceDefinitionKind, providerRevisionKind } from '@weft/controllers'
import { type ManagedResource, resolveCredentials } from '@weft/provider-sdk'
import { type BridgedKind, type BridgedProvider, describeProvider, stubOf, toAtProvider, type UpgradedState } from '@weft/terraform'
import type { ProviderPrograms } from './provider-programs.ts'
import type { TerraformPackages } from './terraform-packages.ts'

/** Answers about kinds of Terraform providers, for those who ask whether they may beforehand. Nothing is written. */
export interface TerraformAnswers {
  /** `mayWrite`: may whoever asks write this object, which is there already or not? */
  plan(question: PlanQuestion, asker: Asker): Promise<PlanAnswer>
  states(question: readonly StateQuestion[], asker: Pick<Asker, 'client' | 'signal'>): Promise<StatesAnswer>
  /** The definition with its schema; undefined where there is none of that name, or it is none of theirs. */
  definition(name: string, asker: Pick<Asker, 'client' | 'signal'>): Promise<KubeObject | undefined>
}

export interface Asker {
  /** With the rights of whatever works for providers. */
  readonly client: Client
  readonly signal: AbortSignal
  mayWrite(resource: KubeObject, plural: string, exists: boolean): Promise<boolean>
}

const AT_ONCE = 4

export function terraformAnswers(packages: TerraformPackages, programs: ProviderPrograms): TerraformAnswers {
  const kindOf = async (
    definition: ManagedResourceDefinition | undefined,
    { client, signal }: Pick<Asker, 'client' | 'signal'>,
  ): Promise<BridgedKind | undefined> => {
    const stub = definition === undefined ? undefined : stubOf(definition)
    if (stub === undefined) return undefined
    const { packageDigest: digest, type } = stub
    const here = await packages.load(digest)
    if (here !== undefined) return here.kind(type)
    // Another replica installed it; what is not installed is not fetched.
    const { items } = await client.list(providerRevisionKind, { signal })
    const revision = items.find(({ spec }) => spec.digest === digest)
    if (revision === undefined) return undefined
    await within(signal, packages.bring(revision.spec.image))
    return (await packages.load(digest))?.kind(type)
  }
  const planOf = async (
    resource: KubeObject,
    unknown: (text: string) => boolean,
    { client, signal, mayWrite }: Asker,
  ): Promise<ProviderPlan> => {
    const { group } = gvkOf(resource)
    const mapping = await client.mapping({ group, kind: resource.kind })
    const existing = (await client.find(mapping, resource.metadata as { name: string }, { signal })) as ManagedResource | undefined
    if (!(await mayWrite(resource, mapping.plural, existing !== undefined)))
      return { action: 'unknown', why: `you may not write ${mapping.plural}.${group} yourself, and a plan shows what its provider answers` }
    const definition = await client.find(managedResourceDefinitionKind, { name: `${mapping.plural}.${group}` }, { signal })
    const kind = await kindOf(definition, { client, signal })
    if (kind === undefined) return { action: 'unknown', why: 'its provider is not installed, or is not ready yet' }
    const wanted = resource as ManagedResource
    return programs.preview(
      kind,
      { wanted, existing, unknown },
      {
        client,
        signal,
        credentials: () => resolveCredentials(wanted, { client, configKinds: [kind.provider.configKind], signal }),
        requeue: () => undefined,
      },
    )
  }
  return {
    async plan({ resources, unknown = [] }, asker) {
      const isUnknown = (text: string): boolean => unknown.some((part) => text.includes(part))
      const plans: ProviderPlan[] = []
      for (let at = 0; at < resources.length; at += AT_ONCE) {
        const some = resources.slice(at, at + AT_ONCE)
        plans.push(
          ...(await Promise.all(
            some.map((resource) =>
              within(asker.signal, planOf(resource, isUnknown, asker)).catch((error: unknown): ProviderPlan => ({
                action: 'unknown',
                why: messageOf(error),
              })),
            ),
          )),
        )
      }
      return { plans }
    },
    async states(questions, { client, signal }) {
      const answers: StateAnswer[] = questions.map(({ definition }) => ({
        problem: `there is no kind ${definition} of a Terraform provider`,
      }))
      const asked = new Map<BridgedProvider, { readonly at: number; readonly kind: BridgedKind; readonly question: StateQuestion }[]>()
      const kinds = new Map<string, BridgedKind | undefined>()
      for (const [at, question] of questions.entries()) {
        const { definition } = question
        if (!kinds.has(definition))
          kinds.set(
            definition,
            await kindOf(await client.find(managedResourceDefinitionKind, { name: definition }, { signal }), { client, signal }),
          )
        const kind = kinds.get(definition)
        if (kind === undefined) continue
        asked.set(kind.provider, [...(asked.get(kind.provider) ?? []), { at, kind, question }])
      }
      for (const [provider, wanted] of asked) {
        const upgraded = await programs.upgradeStates(
          provider,
          wanted.map(({ kind, question: { schemaVersion, json, form } }) => ({
            type: kind.type.name,
            version: schemaVersion,
            json,
            form,
            fields: kind.shape.fields,
          })),
          signal,
        )
        for (const [i, { at, kind }] of wanted.entries()) answers[at] = answerOf(kind, upgraded[i])
      }
      return { states: answers }
    },
    async definition(name, { client, signal }) {
      const definition = await client.find(managedResourceDefinitionKind, { name }, { signal })
      const kind = await kindOf(definition, { client, signal })
      if (definition === undefined || kind === undefined) return undefined
      return { ...definition, spec: { ...definition.spec, ...kind.rendered() } } as unknown as KubeObject
    },
  }
}

/** Whoever asks does not wait longer than they said, even for what cannot be called off. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error('there was no answer in time: try again later'))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late))
  })
}

function answerOf(kind: BridgedKind, upgraded: UpgradedState | undefined): StateAnswer {
  if (upgraded === undefined) return { problem: 'its provider did not answer' }
  if ('problem' in upgraded)
    return { problem: `${describeProvider(kind.provider.provider)} does not understand its state: ${messageOf(upgraded.problem)}` }
  const { value, version, json, parameters } = upgraded
  const { forProvider, secrets, references, missing } = parameters
  return {
    state: { version, json },
    externalName: statedName(kind.importFormat, value),
    forProvider,
    secrets,
    references: references.map(({ at, field, reference: { refField, many, kinds, attribute } }) => ({
      at,
      field,
      refField,
      many,
      kinds,
      attribute,
    })),
    atProvider: toAtProvider(kind.shape.fields, value),
    notes: missing.map((field) => `spec.forProvider.${field} must be given, and no state holds it: add it before it is taken over`),
  }
}
