import type { ClusterOptions } from '../cluster/cluster-options.ts'

export interface Candidate {
  readonly value: string
  /** For shells that show it. */
  readonly about: string
}

/** What the server knows. Whoever presses a key wants an answer or nothing: failures and slowness are nothing. */
export interface ServerWords {
  kinds(): Promise<readonly Candidate[]>
  names(type: string): Promise<readonly Candidate[]>
}

const PATIENCE_MS = 2000
const MAX_NAMES = 500

export function askingServer(options: ClusterOptions): ServerWords {
  const ask = async (
    question: (cluster: import('../cluster/cluster.ts').Cluster, signal: AbortSignal) => Promise<readonly Candidate[]>,
  ): Promise<readonly Candidate[]> => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const late = new Promise<readonly Candidate[]>((resolve) => signal.addEventListener('abort', () => resolve([])))
    try {
      const { withCluster } = await import('../cluster/cluster.ts')
      return await Promise.race([withCluster(options, (cluster) => question(cluster, signal)), late])
    } catch {
      return []
    }
  }
  return {
    kinds: () =>
      ask(async ({ kinds }) => {
        const listable = (await kinds.all()).filter(({ verbs }) => verbs.includes('get'))
        const words = new Map<string, string>()
        // A plural that two groups have is completed with its group, too.
        for (const { plural, group, kind } of listable) {
          const qualified = group === '' ? plural : `${plural}.${group}`
          words.set(words.has(plural) && words.get(plural) !== qualified ? qualified : plural, group === '' ? kind : `${kind}.${group}`)
        }
        return [...words].map(([value, about]) => ({ value, about }))
      }),
    names: (type) =>
      ask(async ({ client, kinds, namespace }, signal) => {
        const [kind] = await kinds.resolve(type)
        if (kind === undefined) return []
        const { items } = await client.list(kind, { namespace, limit: MAX_NAMES, signal })
        return items.map(({ metadata }) => ({ value: metadata.name ?? '', about: '' }))
      }),
  }
}
