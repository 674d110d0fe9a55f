import type { KubeObject } from '@weft/api'
import type { ReactNode } from 'react'
import { Code } from '../../editor/code.tsx'
import { partToYaml } from '../../editor/yaml-text.ts'

/** Follows from what a revision says. */
const HASH = 'crossplane.io/composition-hash'

/** What two revisions say, with what differs marked; their number, their hash and their state differ always. */
export default function Difference({ before, after }: { readonly before: KubeObject; readonly after: KubeObject }): ReactNode {
  const [from, to] = [contentOf(before), contentOf(after)]
  if (from === to) return <p className="calm">There are no differences.</p>
  return <Code label={`Differences between ${before.metadata.name ?? ''} and ${after.metadata.name ?? ''}`} text={to} original={from} />
}

function contentOf({ spec, metadata }: KubeObject & { readonly spec?: unknown }): string {
  const { revision: _, desiredState: __, ...rest } = (spec ?? {}) as Readonly<Record<string, unknown>>
  const { [HASH]: ___, ...labels } = metadata.labels ?? {}
  return partToYaml({ labels, spec: rest })
}
