import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'

const GROUP = 'pkg.crossplane.io'
const REVISIONS: ReadonlySet<string> = new Set(['FunctionRevision', 'ProviderRevision'])

const WORDS: Readonly<Record<string, string>> = {
  user: 'each with a user and a root folder of its own',
  bubblewrap: 'each in namespaces of its own (bubblewrap), with the user of Weft',
  namespaces: 'each in namespaces of its own, with the user of Weft',
  none: 'with the user and the files of Weft: install bubblewrap, or run Weft as root',
}

/** How many programs of packages run, by what keeps them apart from the machine. Undefined when none does, or the reader may not see them. */
export async function readProgramIsolation({ client, kinds }: Cluster): Promise<ReadonlyMap<string, number> | undefined> {
  const served = (await kinds.all()).filter(({ group, kind }) => group === GROUP && REVISIONS.has(kind))
  const counts = new Map<string, number>()
  for (const kind of served)
    try {
      for (const each of (await client.list(kind)).items.map(isolationOf))
        if (typeof each === 'string') counts.set(each, (counts.get(each) ?? 0) + 1)
    } catch {
      return undefined
    }
  return counts.size === 0 ? undefined : counts
}

function isolationOf(revision: KubeObject): unknown {
  const { spec, status } = revision as KubeObject & { readonly spec?: unknown; readonly status?: unknown }
  if (!isJsonObject(spec) || spec['desiredState'] !== 'Active' || !isJsonObject(status)) return undefined
  const process = getOwn(status, 'process')
  return isJsonObject(process) ? getOwn(process, 'isolation') : undefined
}

export const formatProgramIsolation = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([isolation, count]) => `${count} from images, ${WORDS[isolation] ?? isolation}`).join('; ')
