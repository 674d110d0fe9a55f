import { formatGroupKind, type KubeObject, weftKinds } from '@weft/api'

/** What admission judges: a request to write one object, wherever it was made. */
export interface AdmissionSubject {
  readonly operation: string
  readonly object: KubeObject | undefined
  /** As it was before an update. */
  readonly oldObject: KubeObject | undefined
  readonly group: string
  /** Kinds of one name may be somebody else's in another version: only those that Weft serves are judged. */
  readonly version: string
  readonly kind: string
  readonly subresource: string
}

/** The versions of Weft's own kinds. */
const VERSIONS = new Map(
  weftKinds.map(({ spec }) => [
    formatGroupKind({ group: spec.group, kind: spec.names.kind }),
    spec.versions as readonly { name: string }[],
  ]),
)

/** Is an object itself written, in a version in which it is not somebody else's? */
export const isWrite = ({ operation, subresource, group, version, kind }: AdmissionSubject): boolean =>
  subresource === '' &&
  operation !== 'DELETE' &&
  VERSIONS.get(formatGroupKind({ group, kind }))?.every(({ name }) => name !== version) !== true
