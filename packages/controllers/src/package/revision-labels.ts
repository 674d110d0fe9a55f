import type { Client } from '@weft/client'
import type { Package } from '@weft/xpkg'
import { PACKAGE_LABEL, type PackageSort, type RevisionObject } from './kinds.ts'

/** What a server or Weft goes by: the author of a package must not pause a revision, or say that it is another package's. */
const RESERVED = /^(crossplane\.io|([^/]+\.)?(kubernetes\.io|k8s\.io|weft\.dev))\//

type Texts = Readonly<Record<string, string>>

/** The revision with the labels and annotations of its package's metadata, by which tools find the members of a family, or who maintains it. */
export async function labelled(
  client: Client,
  { revisionKind }: PackageSort,
  revision: RevisionObject,
  { metadata: { metadata } }: Package,
): Promise<RevisionObject> {
  const labels = missingIn(revision.metadata.labels, metadata.labels)
  const annotations = missingIn(revision.metadata.annotations, metadata.annotations)
  if (Object.keys(labels).length + Object.keys(annotations).length === 0) return revision
  return client.patch(revisionKind, { name: revision.metadata.name ?? '' }, { type: 'merge', body: { metadata: { labels, annotations } } })
}

const missingIn = (before: Texts = {}, given: Texts = {}): Texts =>
  Object.fromEntries(Object.entries(given).filter(([key, value]) => key !== PACKAGE_LABEL && !RESERVED.test(key) && before[key] !== value))
