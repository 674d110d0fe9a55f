import { hasReason, isOfWeft, type KindDefinition, weftKinds } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, type SharedInformers } from '@weft/client'
import type { Log } from '@weft/runtime'
import { compareReleases, OWN_RELEASE, RELEASE } from './releases.ts'

/** A kind of Weft's that a newer release brought up to date, and that is no longer served in every version that this release works with. */
export interface NewerKind {
  /** `Composition (compositions.apiextensions.crossplane.io)` */
  readonly kind: string
  readonly release: string
  readonly missing: readonly string[]
  readonly served: readonly string[]
}

/**
 * Whether the kind can be worked with by a release that defines it as `wanted`. What a newer release installed is never changed back: objects may be
 * stored in its versions. Where a version is missing, watches of it would wait for ever.
 */
export function newerKind(
  installed: CustomResourceDefinition | undefined,
  wanted: KindDefinition,
  own: string = OWN_RELEASE,
): NewerKind | undefined {
  if (installed === undefined || !isOfWeft(installed)) return undefined
  const release = installed.metadata.annotations?.[RELEASE] ?? ''
  if (compareReleases(release, own) <= 0) return undefined
  const served = servedVersions(installed.spec.versions)
  const missing = servedVersions(wanted.spec.versions as readonly Version[]).filter((version) => !served.includes(version))
  if (missing.length === 0) return undefined
  return { kind: `${installed.spec.names.kind} (${installed.metadata.name ?? ''})`, release, missing, served }
}

interface Version {
  readonly name: string
  readonly served: boolean
}

const servedVersions = (versions: readonly Version[]): readonly string[] => versions.filter(({ served }) => served).map(({ name }) => name)

/** Which kinds on a server this release cannot work with. Whoever may not read kinds sees none. */
export async function newerKinds(client: Client): Promise<readonly NewerKind[]> {
  try {
    const { items } = await client.list(customResourceDefinitionKind)
    return among(items)
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return []
    throw error
  }
}

const wantedKinds: ReadonlyMap<string, KindDefinition> = new Map(weftKinds.map((kind) => [kind.metadata.name ?? '', kind]))

const among = (installed: readonly CustomResourceDefinition[]): readonly NewerKind[] =>
  installed.flatMap((each) => {
    const wanted = wantedKinds.get(each.metadata.name ?? '')
    return (wanted && newerKind(each, wanted)) ?? []
  })

/** Nothing was changed. The message names every kind, what is missing of it, and what to do. */
export class NewerKindsError extends Error {
  readonly kinds: readonly NewerKind[]

  constructor(kinds: readonly NewerKind[]) {
    super(
      [
        `Release ${OWN_RELEASE} of Weft cannot work here: a newer release removed versions of kinds that it needs:`,
        ...kinds.map((kind) => `  ${describeNewerKind(kind)}`),
        `Nothing was changed. ${remedyOf(kinds)}`,
      ].join('\n'),
    )
    this.name = 'NewerKindsError'
    this.kinds = kinds
  }
}

export const describeNewerKind = ({ kind, release, missing, served }: NewerKind): string =>
  `${kind} is of release ${release} and lacks ${missing.join(', ')}; it is served as ${served.join(', ') || 'nothing'}`

function remedyOf(kinds: readonly NewerKind[]): string {
  const newest = kinds.map(({ release }) => release).reduce((a, b) => (compareReleases(a, b) >= 0 ? a : b), '')
  return `Upgrade this replica to release ${newest} or a newer one; the way back to ${OWN_RELEASE} is a backup from before that upgrade.`
}

/** Throws a NewerKindsError where this release cannot work. Writes nothing. */
export async function mustKnowKinds(client: Client): Promise<void> {
  const kinds = await newerKinds(client)
  if (kinds.length > 0) throw new NewerKindsError(kinds)
}

/** Looks out for a newer release that takes over while this one runs. */
export interface KindWatch {
  /** Why this release can no longer work, in words; undefined while it can. */
  problem(): string | undefined
  stop(): Promise<void>
}

/** Costs nothing but a look at each kind of Weft's that changes: kinds are watched anyway. */
export function watchKinds(informers: SharedInformers, log: Log): KindWatch {
  const { informer, release } = informers.acquire({ kind: customResourceDefinitionKind })
  const found = new Map<string, NewerKind>()
  let told = ''
  const problem = (): string | undefined => (found.size === 0 ? undefined : new NewerKindsError([...found.values()]).message)
  const unsubscribe = informer.subscribe(({ object }) => {
    const name = object.metadata.name ?? ''
    const wanted = wantedKinds.get(name)
    if (wanted === undefined) return
    // A kind that was deleted is nobody's, and the next start installs it.
    const current = informer.get({ name })
    const newer = newerKind(current, wanted)
    if (newer === undefined) found.delete(name)
    else found.set(name, newer)
    const now = problem() ?? ''
    if (now !== told && now !== '') log.error(now)
    told = now
  })
  return {
    problem,
    async stop() {
      unsubscribe()
      await release()
    },
  }
}
