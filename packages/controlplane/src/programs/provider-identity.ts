import type { PackageRun } from '@weft/controllers'
import type { Manager } from '@weft/runtime'
import type { Release } from './program-slots.ts'
import {
  type ProgramCredentials,
  type CredentialsFolder,
  ensureAccount,
  RENEW_MS,
  type ServerAddress,
  writeCredentials,
} from './provider-account.ts'
import { secretRights } from './provider-secrets.ts'

export interface ProviderIdentityOptions {
  readonly manager: Manager
  readonly address: ServerAddress
  /** Where its credentials are written. */
  readonly folder: CredentialsFolder
  /** It makes objects of its own kinds. */
  readonly creates?: boolean
}

/** Gives the process of a provider an account with its rights, and credentials that stay valid until it is released. */
export async function giveIdentity(
  { packageName, revision, contents }: PackageRun,
  { manager: { client, informers, log }, address, folder, creates = false }: ProviderIdentityOptions,
  releases: Release[],
): Promise<ProgramCredentials> {
  await ensureAccount(client, revision, { contents, creates })
  const credentials = await writeCredentials(client, revision, { folder, address })
  const renewing = setInterval(() => {
    credentials.renew().catch((error: unknown) => log.warn('the token of a provider cannot be renewed', { package: packageName, error }))
  }, RENEW_MS)
  renewing.unref()
  releases.push(() => Promise.resolve(clearInterval(renewing)))
  const onError = (error: unknown): void => log.warn('rights of a provider to secrets cannot be written', { package: packageName, error })
  const rights = secretRights({ client, informers, revision, contents, onError })
  releases.push(() => rights.close())
  return credentials
}
