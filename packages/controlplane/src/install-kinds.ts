import { deepEqual, hasReason, isOfWeft, type KindDefinition, type KubeObject, weftKinds } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { adoptKind } from './adoption/adopt-kind.ts'
import { ForeignObjectsError, mustBeUsable, obstacleTo } from './foreign-objects.ts'
import { mustKnowKinds } from './newer-kinds.ts'
import { compareReleases, OWN_RELEASE, RELEASE } from './releases.ts'

/**
 * Installs Weft's own kinds, or brings them up to date, on any Kubernetes API. Safe to run on every start and by
 * several replicas at once: applying what is there already changes nothing, and a replica of an older release leaves alone
 * what a newer one installed, or throws a NewerKindsError where it cannot work with it. Kinds of Crossplane's that are there already are used as they are, and widened where Weft's own say more: they stay
 * Crossplane's. Where a kind of one of these names cannot be shared it throws a ForeignObjectsError and installs nothing. Resolves when all are served.
 */
export async function installKinds(
  client: Client,
  { kinds = weftKinds, signal }: { readonly kinds?: readonly KindDefinition[]; readonly signal?: AbortSignal } = {},
): Promise<void> {
  await mustBeUsable(client, kinds)
  await mustKnowKinds(client)
  await Promise.all(kinds.map((definition) => install(client, definition, signal)))
}

/** Weft's kinds as this release installs them. */
export const releasedKinds = (release: string = OWN_RELEASE): readonly KindDefinition[] => weftKinds.map((kind) => marked(kind, release))

const marked = (kind: KindDefinition, release: string): KindDefinition => ({
  ...kind,
  metadata: { ...kind.metadata, annotations: { ...kind.metadata.annotations, [RELEASE]: release } },
})

async function install(client: Client, definition: KindDefinition, signal: AbortSignal | undefined): Promise<void> {
  const name = definition.metadata.name ?? ''
  while (!(await brought(client, name, marked(definition, OWN_RELEASE)))) signal?.throwIfAborted()
  await established(client, name, signal)
}

/** False when somebody else wrote it in the same moment: then it is to be looked at again, since it may not be Weft's any more. */
async function brought(client: Client, name: string, definition: KindDefinition): Promise<boolean> {
  const installed = await client.find(customResourceDefinitionKind, { name })
  if (installed !== undefined && !isOfWeft(installed)) return adopted(client, installed, definition)
  const wanted = upgradeOf(installed, definition)
  if (wanted === undefined) return true
  const { resourceVersion } = installed?.metadata ?? {}
  const metadata = resourceVersion === undefined ? wanted.metadata : { ...wanted.metadata, resourceVersion }
  try {
    // Fields of others are taken only where it is known whose the object is.
    await client.apply({ ...wanted, metadata }, { fieldManager: 'weft', force: installed !== undefined })
    return true
  } catch (error) {
    if (hasReason(error, 'Conflict')) return false
    throw error
  }
}

/** Under a name of its own: what Weft owns it removes when it is uninstalled, and this it does not. */
const ADOPTION_MANAGER = 'weft-adoption'

async function adopted(client: Client, installed: CustomResourceDefinition, definition: KindDefinition): Promise<boolean> {
  const adoption = adoptKind(installed, definition)
  if (adoption.type === 'refuse') throw new ForeignObjectsError([obstacleTo(installed, definition)])
  if (adoption.kind === installed) return true
  try {
    await client.update(adoption.kind, { fieldManager: ADOPTION_MANAGER })
    return true
  } catch (error) {
    if (hasReason(error, 'Conflict')) return false
    throw error
  }
}

/**
 * What to apply so that a kind becomes what this release wants; undefined when nothing. A version in which objects are
 * stored stays, although this release no longer has it: without it they could not be read.
 */
export function upgradeOf(installed: CustomResourceDefinition | undefined, wanted: KindDefinition): KindDefinition | undefined {
  if (installed === undefined) return wanted
  const theirs = installed.metadata.annotations?.[RELEASE] ?? ''
  const ours = wanted.metadata.annotations?.[RELEASE] ?? ''
  if (compareReleases(theirs, ours) > 0) return undefined
  const versions = wanted.spec.versions as readonly { readonly name: string }[]
  const { storedVersions = [] } = (installed.status ?? {}) as { readonly storedVersions?: readonly string[] }
  const kept = installed.spec.versions.filter(
    ({ name }) => storedVersions.includes(name) && versions.every((version) => version.name !== name),
  )
  const whole = { ...wanted, spec: { ...wanted.spec, versions: [...versions, ...kept.map((version) => ({ ...version, storage: false }))] } }
  return theirs === ours && covers(installed.spec, whole.spec) ? undefined : whole
}

/** Does what is installed say everything that we say? The server adds defaults of its own. */
export function covers(installed: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(installed) && installed.length === wanted.length && wanted.every((item, i) => covers(installed[i], item))
  if (typeof wanted !== 'object' || wanted === null) return deepEqual(installed, wanted)
  if (typeof installed !== 'object' || installed === null) return false
  return Object.entries(wanted).every(([key, value]) => value === undefined || covers((installed as Record<string, unknown>)[key], value))
}

async function established(client: Client, name: string, signal: AbortSignal | undefined): Promise<void> {
  const isEstablished = (crd: KubeObject): boolean => {
    // A real server writes null while there are none.
    const { conditions } = (crd['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] | null }
    return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True')
  }
  if (isEstablished(await client.get(customResourceDefinitionKind, { name }))) return
  const events = client.watch(customResourceDefinitionKind, { fieldSelector: `metadata.name=${name}`, ...(signal && { signal }) })
  for await (const batch of events) if (batch.some(({ object }) => isEstablished(object))) return
}
