import { gvkOf, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { CORE_MANAGER } from '@weft/controllers'

/** Notes something on an object, as Weft. */
export type NoteOn = (object: KubeObject, body: Readonly<Record<string, unknown>>) => Promise<void>

export const noteOn =
  (client: Client): NoteOn =>
  async (object, body) => {
    const { name = '', namespace } = object.metadata
    await client.patch(gvkOf(object), { name, namespace }, { type: 'merge', body }, { fieldManager: CORE_MANAGER })
  }
