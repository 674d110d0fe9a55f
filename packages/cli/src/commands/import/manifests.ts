import { type JsonObject, type KubeObject, type StateAnswer, type StateReference } from '@weft/api'
import { canonicalJson } from '@weft/bridge'
import { askStates } from '@weft/client'
import { resourceNames, type StateResource } from '@weft/terraform'
import type { Cluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import { ADDRESS, EXTERNAL_NAME } from './annotations.ts'
import type { Matched, MatchedKind } from './match-kinds.ts'

/** What becomes of a resource of a state file. */
export interface Imported {
  readonly resource: StateResource
  readonly kind: MatchedKind
  readonly object: KubeObject
  /** What is sensitive of it. */
  readonly secret: { readonly namespace: string; readonly name: string; readonly data: Readonly<Record<string, string>> } | undefined
  /** By the schema that the provider has now. */
  readonly state: { readonly version: number; readonly json: string }
  readonly notes: readonly string[]
}

export interface ManifestOptions {
  readonly prefix?: string
  readonly providerConfig?: readonly string[]
  readonly secretNamespace: string
  /** Addresses of resources that are not told from others by their ids. */
  readonly shared: ReadonlySet<string>
}

type Understood = Matched & { readonly name: string; readonly answer: Exclude<StateAnswer, { readonly problem: string }> }

const AT_ONCE = 100

/** Objects for resources: observed only, with references among each other where one's value is another's. */
export async function manifestsOf(
  cluster: Cluster,
  matched: readonly Matched[],
  options: ManifestOptions,
): Promise<{ readonly resources: readonly Imported[]; readonly left: readonly string[] }> {
  const answers = await answersFor(cluster, matched)
  const names = await namesOf(cluster, matched, options.prefix)
  const left: string[] = []
  const understood: Understood[] = []
  for (const [i, each] of matched.entries()) {
    const answer = answers[i]
    if (answer === undefined || 'problem' in answer)
      left.push(`${each.resource.address}: ${answer?.problem ?? 'the control plane did not answer'}`)
    else understood.push({ ...each, answer, name: names.get(each.resource.address) ?? '' })
  }
  const targets = targetsOf(understood)
  const configs = configNames(options.providerConfig)
  return { resources: understood.map((each) => importedOf(each, targets, configs, options)), left }
}

async function answersFor({ transport }: Cluster, matched: readonly Matched[]): Promise<readonly StateAnswer[]> {
  const answers: StateAnswer[] = []
  for (let at = 0; at < matched.length; at += AT_ONCE) {
    const questions = matched.slice(at, at + AT_ONCE).map(({ resource: { schemaVersion, json, form }, kind: { definition } }) => ({
      definition,
      schemaVersion,
      json,
      form,
    }))
    const some = await askStates(transport, questions)
    if (some === undefined)
      throw new CommandFailure(
        'this server does not answer questions about Terraform providers: that requires a control plane started with `weft up --allow-provider-executables`',
      )
    answers.push(...some)
  }
  return answers
}

/** What was imported before keeps its name, whatever else the file holds by now. */
async function namesOf({ client }: Cluster, matched: readonly Matched[], prefix: string | undefined): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const kind of new Map(matched.map((each) => [each.kind.definition, each.kind])).values()) {
    const resources = matched.flatMap((each) => (each.kind.definition === kind.definition ? [each.resource] : []))
    for (const [address, name] of resourceNames(resources, prefix)) names.set(address, name)
    if (!kind.active) continue
    const { items } = await client.list({ group: kind.group, kind: kind.kind })
    for (const { metadata } of items) {
      const address = metadata.annotations?.[ADDRESS]
      const isOurs = address !== undefined && names.has(address) && metadata.name?.startsWith(prefix ?? '') === true
      if (isOurs && !taken(names, metadata.name, address)) names.set(address, metadata.name ?? '')
    }
  }
  return names
}

const taken = (names: ReadonlyMap<string, string>, name: string | undefined, but: string): boolean =>
  [...names].some(([address, other]) => address !== but && other === name)

/** By kind, field of its status and value: the one object that has it; null where several have. */
function targetsOf(understood: readonly Understood[]): ReadonlyMap<string, string | null> {
  const targets = new Map<string, string | null>()
  for (const { kind, name, answer } of understood)
    for (const [field, value] of Object.entries(answer.atProvider)) {
      if (typeof value !== 'string' || value === '') continue
      const key = targetKey(kind, field, value)
      targets.set(key, targets.has(key) ? null : name)
    }
  return targets
}

const targetKey = ({ group, kind }: { readonly group: string; readonly kind: string }, field: string, value: string): string =>
  JSON.stringify([group, kind, field, value])

function importedOf(
  { resource, kind, name, answer }: Understood,
  targets: ReadonlyMap<string, string | null>,
  configs: ReadonlyMap<string, string>,
  { secretNamespace, shared }: ManifestOptions,
): Imported {
  const forProvider = structuredClone(answer.forProvider) as Record<string, unknown>
  const secretName = `${kind.kind.toLowerCase()}-${name}-imported`.slice(0, 253)
  for (const { at, key } of answer.secrets) put(forProvider, at, { namespace: secretNamespace, name: secretName, key })
  for (const reference of answer.references) refer(forProvider, reference, targets)
  const config =
    resource.alias === undefined ? undefined : (configs.get(resource.alias) ?? resource.alias.toLowerCase().replaceAll('_', '-'))
  const isShared = shared.has(resource.address)
  const externalName = isShared ? (identityName(resource) ?? resource.address) : (answer.externalName ?? identityName(resource))
  const notes = [...answer.notes]
  if (isShared && identityName(resource) === undefined)
    notes.push('others in the state have the same id, so its address there is its external name; the state says what it is')
  if (resource.tainted)
    notes.push('it is tainted: its creation failed halfway, and Weft reports that until it is repaired or created again')
  if (resource.private.length === 0 && resource.form === 'plain' && externalName !== resource.address)
    notes.push(
      '`tofu show -json` leaves out what the provider keeps for itself, so the provider is asked for it by its id; a terraform.tfstate has all of it',
    )
  return {
    resource,
    kind,
    object: {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: {
        name,
        annotations: { [ADDRESS]: resource.address, ...(externalName !== undefined && { [EXTERNAL_NAME]: externalName }) },
      },
      spec: {
        managementPolicies: ['Observe'],
        forProvider: forProvider as JsonObject,
        ...(config !== undefined && { providerConfigRef: { name: config } }),
      },
    },
    secret:
      answer.secrets.length === 0
        ? undefined
        : { namespace: secretNamespace, name: secretName, data: Object.fromEntries(answer.secrets.map(({ key, value }) => [key, value])) },
    state: answer.state,
    notes,
  }
}

/** Of what has no id: its identity as text, always the same for it. */
const identityName = ({ identity }: StateResource): string | undefined =>
  identity === undefined ? undefined : canonicalJson(identity.json)

/** The value stays beside the reference, as it does once a reference was followed. */
function refer(
  forProvider: Record<string, unknown>,
  { at, field, refField, many, kinds, attribute }: StateReference,
  targets: ReadonlyMap<string, string | null>,
): void {
  const holder = at.reduce<unknown>((inside, part) => (inside as Record<string | number, unknown> | undefined)?.[part], forProvider)
  if (typeof holder !== 'object' || holder === null) return
  const nameFor = (value: unknown): string | undefined =>
    typeof value === 'string'
      ? (kinds.map((kind) => targets.get(targetKey(kind, attribute, value))).find((name) => name != null) ?? undefined)
      : undefined
  const given = (holder as Record<string, unknown>)[field]
  const found = many && Array.isArray(given) ? given.map(nameFor) : [nameFor(given)]
  if (found.length === 0 || found.some((name) => name === undefined)) return
  ;(holder as Record<string, unknown>)[refField] = many ? found.map((name) => ({ name })) : { name: found[0] }
}

function put(root: Record<string, unknown>, at: readonly (string | number)[], value: object): void {
  const last = at.at(-1)
  const holder = at.slice(0, -1).reduce<unknown>((inside, part) => (inside as Record<string | number, unknown> | undefined)?.[part], root)
  if (last !== undefined && typeof holder === 'object' && holder !== null) (holder as Record<string | number, unknown>)[last] = value
}

function configNames(given: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [alias = '', name = '', ...more] = text.split('=')
      if (alias === '' || name === '' || more.length > 0)
        throw new CommandFailure(`--provider-config takes an alias and a name (west=aws-west), not ${JSON.stringify(text)}`)
      return [alias, name]
    }),
  )
}
