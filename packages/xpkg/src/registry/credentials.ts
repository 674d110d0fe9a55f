/** What a registry wants to know about whoever asks. */
export type RegistryCredentials = { readonly username: string; readonly password: string } | { readonly identityToken: string }

/** Finds the credentials for a registry host; undefined: ask anonymously. Called once per registry and operation. */
export type CredentialSource = (registry: string) => Promise<RegistryCredentials | undefined>
