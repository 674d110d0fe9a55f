import { type KubeObject, StatusError } from '@weft/api'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterOptions } from '../../cluster/index.ts'
import { readableMessage, withCluster } from '../../cluster/index.ts'
import { parseManifests } from '../../manifests/parse-manifests.ts'
import { formatYaml } from '../../output/format-yaml.ts'
import { formatName, withoutManagedFields } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { parseSingleTarget } from '../../selection/targets.ts'
import { notFound } from '../get/get.ts'
import { mergePatchOf } from './merge-patch.ts'

export interface EditOptions extends ClusterOptions {
  readonly subresource?: string
  readonly fieldManager: string
}

export async function edit(words: readonly string[], options: EditOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const { kind, name } = await parseSingleTarget(words, cluster.kinds)
    const ref = { name, namespace: cluster.namespace }
    const found = await cluster.client.find(kind, ref, { subresource: options.subresource })
    if (found === undefined) throw notFound(kind, name, cluster.namespace)
    const original = withoutManagedFields(found)
    // Readable by nobody else: it may be a secret.
    const directory = await mkdtemp(join(tmpdir(), 'weft-edit-'))
    const file = join(directory, `${kind.plural}-${name.replace(/[^\w.-]/g, '_')}.yaml`)
    const write = (patch: object): Promise<KubeObject> =>
      cluster.client.patch(
        kind,
        ref,
        { type: 'merge', body: patch },
        { subresource: options.subresource, fieldManager: options.fieldManager, fieldValidation: 'Strict' },
      )
    let keep = false
    try {
      const edited = await untilAccepted(file, original, write)
      process.stdout.write(edited === undefined ? 'Edit cancelled, no changes made.\n' : `${formatName(original)} edited\n`)
      return 0
    } catch (error) {
      keep = error instanceof StillRefused
      throw error
    } finally {
      if (!keep) await rm(directory, { recursive: true, force: true })
    }
  })
}

/** What was written is kept: a person has typed it. */
class StillRefused extends CommandFailure {}

const HEADER = '# Save and close the editor to write the change; an empty file, or one without changes, writes nothing.\n'

/** Edits until the server takes it; undefined when nothing was changed. */
async function untilAccepted(
  file: string,
  original: KubeObject,
  write: (patch: object) => Promise<KubeObject>,
): Promise<KubeObject | undefined> {
  let text = HEADER + formatYaml(original)
  let refused: { readonly text: string; readonly reason: string } | undefined
  for (;;) {
    await writeFile(file, text, { mode: 0o600 })
    await openEditor(file)
    const edited = await readFile(file, 'utf8')
    if (withoutComments(edited).trim() === '') return undefined
    // Closed without a change after a refusal: the person has given up, and may want the text back.
    if (refused !== undefined && withoutReasons(edited) === withoutReasons(text))
      throw new StillRefused(`${refused.reason}\nYour text is in ${file}`)
    const problem = await tryWrite(edited, original, write)
    if (problem === 'unchanged') return undefined
    if (typeof problem !== 'string') return problem
    refused = { text: edited, reason: problem }
    text = reasonsOf(problem) + withoutReasons(edited)
  }
}

async function tryWrite(edited: string, original: KubeObject, write: (patch: object) => Promise<KubeObject>): Promise<KubeObject | string> {
  const { manifests, problems } = parseManifests(edited, 'the edited text')
  if (problems[0] !== undefined) return `line ${problems[0].line}: ${problems[0].message}`
  const [manifest, ...others] = manifests
  if (manifest === undefined || others.length > 0) return 'there must be exactly one object'
  const { object } = manifest
  if (
    object.apiVersion !== original.apiVersion ||
    object.kind !== original.kind ||
    object.metadata.name !== original.metadata.name ||
    object.metadata.namespace !== original.metadata.namespace
  )
    return 'apiVersion, kind, name and namespace cannot be changed'
  const patch = mergePatchOf(original, object)
  if (patch === undefined) return 'unchanged'
  try {
    return await write(patch as object)
  } catch (error) {
    if (error instanceof StatusError && error.code < 500 && error.code !== 401) return readableMessage(error.message)
    throw error
  }
}

const REASON = '# refused: '
const reasonsOf = (problem: string): string =>
  problem
    .split('\n')
    .map((line) => `${REASON}${line}\n`)
    .join('')
const withoutReasons = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith(REASON))
    .join('\n')
const withoutComments = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')

async function openEditor(file: string): Promise<void> {
  const editor = process.env['VISUAL'] ?? process.env['EDITOR'] ?? 'vi'
  // An editor may come with options: EDITOR='code --wait'.
  const child = spawn(`${editor} "$WEFT_EDITED_FILE"`, { stdio: 'inherit', shell: true, env: { ...process.env, WEFT_EDITED_FILE: file } })
  let code: number | null
  try {
    ;[code] = (await once(child, 'exit')) as [number | null]
  } catch (cause) {
    throw new CommandFailure(`cannot start the editor ${editor}: set $EDITOR`, { cause })
  }
  if (code !== 0)
    throw new CommandFailure(`the editor ${editor} ended with ${code ?? 'a signal'}; nothing was written. $EDITOR names another.`)
}
