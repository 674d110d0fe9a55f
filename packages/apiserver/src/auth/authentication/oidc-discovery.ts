import type { ServiceAccountTokens } from './service-account-tokens.ts'

export const OPENID_CONFIGURATION_PATH = '/.well-known/openid-configuration'
export const JWKS_PATH = '/openid/v1/jwks'

export interface DiscoveryResponse {
  readonly contentType: string
  readonly cacheControl: string
  readonly body: string
}

/** The two documents by which others can verify our service-account tokens. `address` is where this server is reached (`https://host:port`). */
export function openIdConfiguration(tokens: ServiceAccountTokens, address: string): DiscoveryResponse {
  const algorithms = [...new Set(tokens.jwks().keys.map((key) => key['alg'] as string))].sort()
  return {
    contentType: 'application/json',
    cacheControl: 'public, max-age=3600',
    body: JSON.stringify({
      issuer: tokens.issuer,
      jwks_uri: `${address.replace(/\/+$/, '')}${JWKS_PATH}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
    }),
  }
}

export function jwksDocument(tokens: ServiceAccountTokens): DiscoveryResponse {
  return { contentType: 'application/jwk-set+json', cacheControl: 'public, max-age=3600', body: JSON.stringify(tokens.jwks()) }
}
