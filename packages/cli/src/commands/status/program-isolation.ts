import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'

const GROUP = 'pkg.crossplane.io'
const REVISIONS: ReadonlySet<string> = new Set(['FunctionRevision', 'ProviderRevision'])

const WORDS: Readonly<Record<string, string>> = {
  user: 'each with a user and a root folder of its own',
  bubblewrap: 'each in namespaces of its own (bubblewrap), with the user of Weft',
  namespaces: 'each in namespaces of its own, with the user of Weft',
  none: 'with the user and the files of Weft: install bubblewrap, or run Weft as root',
}

const ELSEWHERE = 'elsewhere'

/** How many programs of packages run, by what keeps them apart from the machine, and how many of them have other ports than they ask for. Undefined when none does, or the reader may not see them. */
export async function readProgramIsolation({ client, kinds }: Cluster): Promise<ReadonlyMap<string, number> | undefined> {
  // Each once, however many versions of it are served.
  const served = new Set((await kinds.all()).flatMap(({ group, kind }) => (group === GROUP && REVISIONS.has(kind) ? [kind] : [])))
  const counts = new Map<string, number>()
  for (const kind of served)
    try {
      for (const process of (await client.list({ group: GROUP, kind })).items.map(processOf)) {
        const isolation = getOwn(process, 'isolation')
        if (typeof isolation !== 'string') continue
        for (const each of [isolation, ...('ports' in process ? [ELSEWHERE] : [])]) counts.set(each, (counts.get(each) ?? 0) + 1)
      }
    } catch {
      return undefined
    }
  return counts.size === 0 ? undefined : counts
}

function processOf(revision: KubeObject): JsonObject {
  const { spec, status } = revision as KubeObject & { readonly spec?: unknown; readonly status?: unknown }
  if (!isJsonObject(spec) || spec['desiredState'] !== 'Active' || !isJsonObject(status)) return {}
  const process = getOwn(status, 'process')
  return isJsonObject(process) ? process : {}
}

export const formatProgramIsolation = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .map(([each, count]) =>
      each === ELSEWHERE
        ? `${count} with ports that the system chose, since those that it asks for are taken`
        : `${count} from images, ${WORDS[each] ?? each}`,
    )
    .join('; ')
