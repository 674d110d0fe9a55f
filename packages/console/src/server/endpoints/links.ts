import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal, sendJson } from '../answer.ts'
import { readJsonObject } from '../body.ts'
import { isSecret } from '../session/secret.ts'

export interface LinkServices {
  readonly links: {
    /** Of the key that gets links; the key itself is not kept here. */
    readonly keyDigest: Buffer
    /** Makes a link that signs in once, as the console's own user. */
    readonly issue: () => string
  }
}

const MAX_BYTES = 1024

/** A new link for whoever has the key. Nobody is signed in by asking. */
export async function issueLink(request: IncomingMessage, response: ServerResponse, { links }: LinkServices): Promise<void> {
  const { key } = await readJsonObject(request, MAX_BYTES)
  if (typeof key !== 'string' || !isSecret(key, links.keyDigest))
    throw new Refusal(403, 'Forbidden', 'this is not the key of this console: the console has been restarted')
  sendJson(response, 200, { link: links.issue() })
}
