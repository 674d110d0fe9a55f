import { readFile } from 'node:fs/promises'
import { messageOf } from '@weft/api'
import type { Clock } from '../clock.ts'
import { bearer, type Credential, CredentialError, type CredentialSource } from './credentials.ts'

/** Kubernetes rotates a mounted token long before it expires; it is looked at once a minute. */
const RELOAD_MS = 60_000

/**
 * The token in a file, read again every minute and after a 401. While the file cannot be read (it is being replaced),
 * the last token that could is used.
 */
export function tokenFileCredentials(path: string, clock: Clock, base: Credential = {}): CredentialSource {
  let loaded: { readonly credential: Credential; readonly at: number } | undefined
  let loading: Promise<Credential> | undefined
  const load = async (): Promise<Credential> => {
    let token: string
    try {
      token = (await readFile(path, 'utf8')).trim()
    } catch (cause) {
      if (loaded !== undefined) return loaded.credential
      throw new CredentialError('FileUnreadable', `cannot read the token file ${path}: ${messageOf(cause)}`, { cause })
    }
    const authorization = bearer(token)
    const credential = loaded?.credential.authorization === authorization ? loaded.credential : { ...base, authorization }
    loaded = { credential, at: clock.now() }
    return credential
  }
  return {
    current() {
      if (loaded !== undefined && clock.now() - loaded.at < RELOAD_MS) return Promise.resolve(loaded.credential)
      loading ??= load().finally(() => (loading = undefined))
      return loading
    },
    reject(credential) {
      if (loaded?.credential === credential) loaded = { credential, at: -RELOAD_MS }
    },
  }
}
