import { getOwn, type KubeObject, specOf, statusOf } from '@weft/api'
import { conditionsOf, EXTERNAL_NAME } from '@weft/composition'
import { CLAIM_RECORD } from '../binding/claim-record.ts'
import { nameOf } from '../xr/machinery.ts'
import { CLAIM_NAME_LABEL, CLAIM_NAMESPACE_LABEL } from '../xr/plan.ts'

type Fields = Readonly<Record<string, unknown>>

/** Of a claim's spec, what says something about the claim itself and never travels (K96). */
const OF_THE_CLAIM: ReadonlySet<string> = new Set([
  'resourceRef',
  'writeConnectionSecretToRef',
  'compositeDeletePolicy',
  'compositionRevisionRef',
])
/** What a composite has for itself: a claim whose schema happens to have such a field cannot set it. */
const OF_THE_COMPOSITE: ReadonlySet<string> = new Set(['claimRef', 'resourceRefs'])

export interface ClaimTerms {
  /** The definition says which Composition is used: a claim's own choice does not count. */
  readonly enforced: boolean
  /** How composites follow new revisions where nothing is said. */
  readonly updatePolicy?: string | undefined
}

/** K96: what a claim makes of its composite; applied as the claim's own fields. Pure. */
export function compositeFor(
  claim: KubeObject,
  name: string,
  xr: KubeObject | undefined,
  { enforced, updatePolicy }: ClaimTerms,
  xrType: { readonly apiVersion: string; readonly kind: string },
): KubeObject {
  const { labels, annotations } = claim.metadata
  const spec = Object.fromEntries(
    Object.entries(specOf(claim)).filter(
      ([key]) => !OF_THE_CLAIM.has(key) && !OF_THE_COMPOSITE.has(key) && !(enforced && key === 'compositionRef'),
    ),
  )
  const revision = getOwn(specOf(claim), 'compositionRevisionRef')
  // One that is new takes its revision along: composed by the latest first, it would have made what nobody wanted.
  const isManual = (getOwn(specOf(xr ?? claim), 'compositionUpdatePolicy') ?? updatePolicy) === 'Manual'
  const travelling = travels(annotations)
  const external = xr?.metadata.annotations?.[EXTERNAL_NAME]
  const noted = external === undefined ? travelling : { ...travelling, [EXTERNAL_NAME]: external }
  return {
    ...xrType,
    metadata: {
      name,
      labels: {
        ...travels(labels),
        [CLAIM_NAME_LABEL]: claim.metadata.name ?? '',
        [CLAIM_NAMESPACE_LABEL]: claim.metadata.namespace ?? '',
      },
      ...(Object.keys(noted).length > 0 && { annotations: noted }),
    },
    spec: {
      ...spec,
      ...(isManual && revision !== undefined && { compositionRevisionRef: revision }),
      claimRef: {
        apiVersion: claim.apiVersion,
        kind: claim.kind,
        namespace: claim.metadata.namespace ?? '',
        name: claim.metadata.name ?? '',
      },
    },
  }
}

/** Labels and annotations of Kubernetes' own speak of the object that they are on; whose a composite is, no claim says by an annotation. */
function travels(entries: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(entries ?? {}).filter(
      ([key]) => key !== CLAIM_RECORD && !/(^|\.)(kubernetes|k8s)\.io$/.test(key.includes('/') ? (key.split('/')[0] ?? '') : ''),
    ),
  )
}

/** K97: what the composite says of itself that its claim shows. The very same claim when nothing changes. Pure. */
export function claimShowing(claim: KubeObject, xr: KubeObject, { enforced }: ClaimTerms): KubeObject {
  const [mine, theirs] = [specOf(claim), specOf(xr)]
  const next: Record<string, unknown> = { ...mine }
  const take = (key: string): void => {
    if (theirs[key] !== undefined) next[key] = theirs[key]
  }
  if (enforced || nameOf(mine['compositionRef']) === undefined) take('compositionRef')
  if (mine['compositionRevisionSelector'] === undefined) take('compositionRevisionSelector')
  if (mine['compositionUpdatePolicy'] === 'Automatic' || theirs['compositionUpdatePolicy'] === 'Automatic') take('compositionRevisionRef')
  const external = xr.metadata.annotations?.[EXTERNAL_NAME]
  const metadata =
    external === undefined || external === claim.metadata.annotations?.[EXTERNAL_NAME]
      ? claim.metadata
      : { ...claim.metadata, annotations: { ...claim.metadata.annotations, [EXTERNAL_NAME]: external } }
  return { ...claim, metadata, spec: next }
}

/** The status that the claim shows of the composite: all of it but what each has for itself. */
export function statusFrom(claim: KubeObject, xr: KubeObject): Fields {
  const { conditions: _theirs, connectionDetails: _details, claimConditionTypes: _types, ...shown } = statusOf(xr)
  const { conditions, connectionDetails } = statusOf(claim)
  return { ...shown, ...(conditions !== undefined && { conditions }), ...(connectionDetails !== undefined && { connectionDetails }) }
}

/** Conditions of the composite that its functions meant for the claim too. */
export function sharedConditions(xr: KubeObject): ReturnType<typeof conditionsOf> {
  const types = statusOf(xr)['claimConditionTypes']
  return Array.isArray(types) ? conditionsOf(xr).filter(({ type }) => types.includes(type)) : []
}
