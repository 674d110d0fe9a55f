import { getOwn, type KubeObject } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import { deleteLive } from '../binding/live-object.ts'
import { allows, COPY_LABEL, withdraw } from './propagate.ts'
import { connectionSecretAddress, readConnection } from './secret.ts'

/**
 * A claim that asks for its connection details under another name, or no longer asks for them, does not leave the old copy lying about. `owned` are
 * the secrets that the claim controls; only copies among them count that the source knows of: whatever else somebody made is theirs.
 */
export async function dropFormerCopies(client: Client, owned: readonly Secret[], from: KubeObject, to: KubeObject): Promise<void> {
  const wanted = connectionSecretAddress(to)
  for (const copy of owned) {
    const { name = '', namespace = '', labels = {} } = copy.metadata
    const isCopy = getOwn(labels, COPY_LABEL) === 'true' && namespace === to.metadata.namespace
    if (!isCopy || (name === wanted?.name && namespace === wanted.namespace)) continue
    const source = await readConnection(client, from)
    if (source === undefined || !allows(source, { namespace, name })) continue
    await deleteLive(client, secretKind, copy)
    await withdraw(client, from, { namespace, name })
  }
}
