import {
  type Client,
  type ConnectionConfig,
  createClient,
  createRestMapper,
  httpTransport,
  loadKubeconfig,
  type RestMapper,
  type Transport,
} from '@weft/client'
import { style } from '../report.ts'
import { VERSION } from '../version.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { explainFailure } from './explain-failure.ts'
import { findKubeconfig, type KubeconfigLocation } from './find-kubeconfig.ts'
import { createKindCatalog, type KindCatalog } from './kind-catalog.ts'
import { kindMemory } from './kind-memory.ts'

/** Owner of the fields that the command line writes. */
export const FIELD_MANAGER = 'weft-cli'

/** A person waits: three tries take less than a second. */
const MAX_TRIES = 3

/** The server that a command talks to: the embedded one and any Kubernetes API alike. */
export interface Cluster {
  readonly client: Client
  readonly transport: Transport
  /** The same, without a word of warnings: for what is only tried before it is done, and warned of then. */
  readonly trial: Transport
  /** For what a command looks at for its own purposes: warnings of it are no news to whoever asked for something else. */
  readonly quiet: Client
  readonly mapper: RestMapper
  /** What people call kinds: plurals, short names, categories. */
  readonly kinds: KindCatalog
  /** The namespace to work in when an object names none. */
  readonly namespace: string
  /** Was the namespace named on the command line? Then an object of another one is a mistake. */
  readonly namespaceIsExplicit: boolean
  readonly server: string
  readonly location: KubeconfigLocation
}

/**
 * Runs `action` against the server that the options name and closes the connection afterwards. Whatever fails on the
 * way to the server (no kubeconfig, nobody listening, a certificate that expired) becomes one line with the next step.
 */
export async function withCluster<T>(options: ClusterOptions, action: (cluster: Cluster) => Promise<T>): Promise<T> {
  const location = findKubeconfig(options)
  let connection: ConnectionConfig | undefined
  let transport: Transport | undefined
  try {
    connection = await loadKubeconfig({ paths: location.paths, context: options.context })
    transport = httpTransport({ ...connection, userAgent: `weft/${VERSION}`, maxTries: MAX_TRIES })
    return await action(openCluster(options, { location, connection, transport }))
  } catch (error) {
    throw explainFailure(error, { location, connection, context: options.context })
  } finally {
    await transport?.close()
  }
}

interface Opened {
  readonly location: KubeconfigLocation
  readonly connection: ConnectionConfig
  readonly transport: Transport
}

function openCluster(options: ClusterOptions, { location, connection, transport: silent }: Opened): Cluster {
  const namespace = options.namespace ?? connection.namespace
  const transport = tellingWarnings(silent)
  const mapper = createRestMapper({ transport })
  return {
    client: createClient({ transport, mapper, fieldManager: FIELD_MANAGER, defaultNamespace: namespace }),
    quiet: createClient({ transport: silent, mapper, fieldManager: FIELD_MANAGER, defaultNamespace: namespace }),
    transport,
    trial: silent,
    mapper,
    kinds: createKindCatalog(transport, kindMemory(connection)),
    namespace,
    namespaceIsExplicit: options.namespace !== undefined,
    server: connection.server,
    location,
  }
}

/** Whatever a command asks the server, what that warns of is shown; once, for a hundred objects of a deprecated kind. */
function tellingWarnings(transport: Transport): Transport {
  const seen = new Set<string>()
  return {
    local: transport.local,
    async request(request) {
      const answer = await transport.request(request)
      for (const text of answer.warnings) {
        if (!seen.has(text)) process.stderr.write(`${style('yellow', 'Warning')}: ${text}\n`)
        seen.add(text)
      }
      return answer
    },
    watch: (request) => transport.watch(request),
    close: () => transport.close(),
  }
}
