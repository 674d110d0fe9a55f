import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { eventually } from '@weft/testing'
import { parseAllDocuments } from 'yaml'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

/** Applies files of an example, in order. */
export async function applyExample(client: Client, ...files: readonly string[]): Promise<void> {
  for (const file of files)
    for (const document of parseAllDocuments(await readFile(`${EXAMPLES}${file}`, 'utf8')))
      await applyWhenServed(client, document.toJS() as KubeObject)
}

/** A kind that a definition brings takes a moment until it is served. */
export async function applyWhenServed(client: Client, object: KubeObject): Promise<void> {
  await eventually(() => client.apply(object, { force: true }), { timeoutMs: 60_000, intervalMs: 200 })
}
