import { parseGroupVersion } from '@weft/api'
import type { ServedKind } from '@weft/client'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import { formatConnection, formatDefinedConnection } from './connection.ts'
import { findDefinedConnection } from './defined-connection.ts'
import { type Explained, formatExplanation } from './format-schema.ts'
import { findManagedDefinition } from './managed-definitions.ts'
import { resolverOf, schemaAt } from './schema.ts'
import { schemaAddress, servedSchema } from './served-schema.ts'
import { splitField } from './split-field.ts'

export interface ExplainOptions extends ClusterOptions {
  readonly recursive?: boolean
  readonly connection?: boolean
  readonly apiVersion?: string
}

export async function explain(field: string, options: ExplainOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const { word, path, served } = splitField(await cluster.kinds.all(), field, options.apiVersion)
    if (options.connection === true) {
      process.stdout.write(await connectionOf(cluster, served ?? word))
      return 0
    }
    const explained =
      served === undefined ? await fromDefinition(cluster, word, path, options.apiVersion) : await fromServer(cluster, served, path)
    process.stdout.write(formatExplanation(explained, options.recursive === true))
    return 0
  })
}

async function connectionOf(cluster: Cluster, kind: ServedKind | string): Promise<string> {
  const managed = await findManagedDefinition(cluster, kind)
  if (managed !== undefined) return formatConnection(managed)
  const defined = typeof kind === 'string' ? undefined : await findDefinedConnection(cluster, kind)
  if (defined !== undefined) return formatDefinedConnection(defined)
  const name = typeof kind === 'string' ? kind : kind.kind
  throw new CommandFailure(
    `${name} has no connection that is known beforehand: it is neither a managed kind (weft get mrd lists them) nor defined infrastructure (weft get infradef)`,
  )
}

async function fromServer(cluster: Cluster, { group, version, kind }: ServedKind, path: readonly string[]): Promise<Explained> {
  const gvk = { group, version, kind }
  const served = await servedSchema(cluster, gvk)
  if (served === undefined) throw new CommandFailure(`the server does not describe ${kind} (${schemaAddress(gvk)})`)
  const { root, resolve } = served
  return { ...gvk, path, resolve, schema: schemaAt(root, path, resolve) }
}

/** A kind that is not active is described by its definition alone. */
async function fromDefinition(cluster: Cluster, word: string, path: readonly string[], apiVersion: string | undefined): Promise<Explained> {
  const definition = await findManagedDefinition(cluster, [word, ...path].join('.')).then(
    (found) => found ?? findManagedDefinition(cluster, word),
  )
  if (definition === undefined) {
    await cluster.kinds.resolve(word)
    throw new CommandFailure(`"${word}" is a category: name one of its kinds`)
  }
  const wanted = apiVersion === undefined ? undefined : parseGroupVersion(apiVersion).version
  const version = definition.versions.find(({ name }) => wanted === undefined || name === wanted)
  if (version?.schema === undefined)
    throw new CommandFailure(
      `the definition of ${definition.kind} describes no fields${definition.state === 'Active' ? '' : ': it is not active, and this server describes only kinds that are: activate it'}`,
    )
  const rest = path.slice(definition.wordsUsed(word, path))
  const resolve = resolverOf({})
  return {
    group: definition.group,
    version: version.name,
    kind: definition.kind,
    path: rest,
    resolve,
    schema: schemaAt(version.schema, rest, resolve),
  }
}
