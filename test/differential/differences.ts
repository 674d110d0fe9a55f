import type { Difference } from './compare.ts'
import type { Call } from './endpoint.ts'

export interface Context {
  readonly call: Call
  readonly difference: Difference
  readonly weft: any
  readonly kubernetes: any
}

/** A way in which the embedded server may answer differently from kube-apiserver. docs/differences.md lists them all. */
export interface AllowedDifference {
  readonly id: string
  readonly what: string
  readonly why: string
  readonly matches: (context: Context) => boolean
}

export const allowedDifferences: readonly AllowedDifference[] = [
  {
    id: 'column-descriptions',
    what: 'The `description` of table columns.',
    why: 'Kubernetes fills it from its API documentation; ours are our own words. Clients show it in `kubectl explain`-like tools at most.',
    matches: ({ difference }) => /\.columnDefinitions\[\d+\]\.description$/.test(difference.path),
  },
  {
    id: 'root-certificate',
    what: 'The content, description and field manager of the ConfigMap `kube-root-ca.crt`.',
    why: 'Each server has its own certificate authority, and nobody but its controller writes this object.',
    matches: ({ difference, kubernetes }) => objectAt(kubernetes, difference.path)?.metadata?.name === 'kube-root-ca.crt',
  },
  {
    id: 'strategic-merge-types',
    what: 'The words for a value of the wrong type in a strategic merge patch.',
    why: 'Kubernetes converts such patches by reflection and speaks of Go types; we say what it says for the other kinds of patch.',
    matches: ({ call, difference }) => call.contentType === 'application/strategic-merge-patch+json' && /essage$/.test(difference.path) && /cannot (convert|restore)/.test(String(difference.kubernetes)),
  },
  {
    id: 'yaml-syntax',
    what: 'The words for YAML that does not parse.',
    why: 'Another parser: the position and the rest of the answer are the same.',
    matches: ({ difference, weft, kubernetes }) => difference.path.endsWith('.message') && isYamlFault(weft) && isYamlFault(kubernetes),
  },
]

/** The innermost object with metadata on the way to `path`. */
function objectAt(root: any, path: string): any {
  let current = root
  let found: any
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (current?.metadata !== undefined) found = current
    current = current?.[step]
  }
  return found
}

const isYamlFault = ({ status, body }: any): boolean => status === 400 && /yaml: /.test(String(body?.message))

export const allowed = (context: Context): boolean => allowedDifferences.some(({ matches }) => matches(context))
