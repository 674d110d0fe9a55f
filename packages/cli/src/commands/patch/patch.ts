import { hasReason, isJsonObject, messageOf, StatusError } from '@weft/api'
import type { JsonPatchOperation, Patch } from '@weft/client'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { parseValue } from '../../manifests/index.ts'
import { formatName, formatObjects, parseOutputFormat } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { parseSingleTarget } from '../../selection/targets.ts'
import { notFound } from '../get/get.ts'

export interface PatchCommandOptions extends ClusterOptions {
  readonly patch?: string
  readonly patchFile?: string
  readonly type: string
  readonly subresource?: string
  readonly fieldManager: string
  readonly forceConflicts?: boolean
  readonly dryRun: string
  readonly output?: string
}

export async function patch(words: readonly string[], options: PatchCommandOptions): Promise<number> {
  const format = parseOutputFormat(options.output)
  const body = parsePatch(await patchText(options), options.type)
  return withCluster(options, async (cluster) => {
    const { kind, name } = await parseSingleTarget(words, cluster.kinds)
    const before = await cluster.client.find(kind, { name, namespace: cluster.namespace })
    if (before === undefined && options.type !== 'apply') throw notFound(kind, name, cluster.namespace)
    const dryRun = options.dryRun === 'server'
    try {
      const after = await cluster.client.patch(kind, { name, namespace: cluster.namespace }, body, {
        subresource: options.subresource,
        fieldManager: options.fieldManager,
        dryRun,
        ...(options.type === 'apply' && { force: options.forceConflicts }),
        fieldValidation: 'Strict',
      })
      const changed = before === undefined || before.metadata.resourceVersion !== after.metadata.resourceVersion || dryRun
      if (format.type === 'table')
        process.stdout.write(`${formatName(after)} patched${changed ? '' : ' (no change)'}${dryRun ? ' (server dry run)' : ''}\n`)
      else process.stdout.write(await formatObjects([after], format, { asList: false }))
      return 0
    } catch (error) {
      if (error instanceof StatusError && hasReason(error, 'UnsupportedMediaType'))
        throw new CommandFailure(`${kind.kind} takes no ${options.type} patch: use --type merge or json`, { cause: error })
      throw error
    }
  })
}

async function patchText({ patch: given, patchFile }: PatchCommandOptions): Promise<string> {
  if ((given === undefined) === (patchFile === undefined)) throw new CommandFailure('give the patch with -p or with --patch-file')
  if (given !== undefined) return given
  if (patchFile === '-') return text(process.stdin)
  try {
    return await readFile(patchFile ?? '', 'utf8')
  } catch (cause) {
    throw new CommandFailure(`cannot read ${patchFile ?? ''}: ${messageOf(cause)}`, { cause })
  }
}

function parsePatch(source: string, type: string): Patch {
  let value: unknown
  try {
    value = parseValue(source)
  } catch (cause) {
    throw new CommandFailure(`the patch is neither JSON nor YAML: ${messageOf(cause).split('\n', 1)[0] ?? ''}`, { cause })
  }
  if (type === 'json') {
    if (!Array.isArray(value))
      throw new CommandFailure('a json patch is a list of operations: [{"op":"replace","path":"/spec/x","value":1}]')
    return { type, body: value as readonly JsonPatchOperation[] }
  }
  if (!isJsonObject(value)) throw new CommandFailure(`a ${type} patch is an object, such as {"spec":{"x":1}}`)
  return { type: type as 'merge' | 'strategic' | 'apply', body: value }
}
