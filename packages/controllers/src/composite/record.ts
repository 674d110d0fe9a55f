import { getOwn, isJsonObject, type KubeObject, statusOf } from '@weft/api'
import { contentHash } from '@weft/composition'
import { CompositeError } from './composite-error.ts'
import { MOVE_TO } from './move.ts'

/** What a composite's status remembers of how it was composed; no replacement of the composite reaches it. */
export interface CompositionRecord {
  readonly composition: string
  readonly composedFrom: { readonly uid: string; readonly hash: string }
}

/** Made once for each Composition, not for each of the composites that it composes. */
export function recordOf(composition: KubeObject): CompositionRecord {
  let record = records.get(composition)
  if (record === undefined) {
    const { name = '', uid = '' } = composition.metadata
    records.set(composition, (record = { composition: name, composedFrom: { uid, hash: contentHash(composition['spec']) } }))
  }
  return record
}

const records = new WeakMap<KubeObject, CompositionRecord>()

/** The Composition that this was last composed by, as the controller recorded it. Recorded once something exists. */
export function composedBy(composite: KubeObject): string | undefined {
  const name = getOwn(statusOf(composite), 'composition')
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The hash of that Composition; undefined where it was composed before hashes were recorded. */
function composedHash(composite: KubeObject): string | undefined {
  const from = getOwn(statusOf(composite), 'composedFrom')
  const hash = isJsonObject(from) ? getOwn(from, 'hash') : undefined
  return typeof hash === 'string' && hash !== '' ? hash : undefined
}

/**
 * C4: Compositions do not change, but one can be deleted and made again with the same name. Composing by that would swap the configuration of
 * what is there, and leave unmanaged what it no longer mentions. Rejects with a CompositeError CompositionReplaced.
 */
export function mustBeTheSame(composite: KubeObject, composition: KubeObject): void {
  const [known, name] = [composedHash(composite), composition.metadata.name ?? '']
  if (known === undefined || composedBy(composite) !== name || known === recordOf(composition).composedFrom.hash) return
  throw new CompositeError(
    'CompositionReplaced',
    `Composition ${name} was deleted and created again with other contents, which are not applied. To use them: kubectl annotate ${composite.kind.toLowerCase()} ${composite.metadata.name ?? ''}${inNamespace(composite)} ${MOVE_TO}=${name}`,
  )
}

export const inNamespace = ({ metadata: { namespace } }: KubeObject): string => (namespace === undefined ? '' : ` -n ${namespace}`)
