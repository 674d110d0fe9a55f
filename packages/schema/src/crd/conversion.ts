import { addErrors, type FieldError, isDns1035Label, isDns1123Subdomain } from '@weft/api'
import { isRequestUri } from '../formats/uri.ts'
import { forbidden, invalid, notSupported, required } from '../messages.ts'
import { hasControl } from '../values.ts'
import type { CrdConversion, ServiceReference, WebhookClientConfig } from './types.ts'

export interface ConversionRules {
  /** At least one version of ConversionReview that this server speaks must be listed. */
  readonly requireKnownReviewVersion: boolean
  readonly allowInvalidCaBundle: boolean
}

const REVIEW_VERSIONS = ['v1', 'v1beta1']

export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => REVIEW_VERSIONS.includes(version))
}

export function conversionErrors(conversion: CrdConversion | undefined, path: string, rules: ConversionRules): FieldError[] {
  if (conversion === undefined) return []
  const errors: FieldError[] = []
  const { strategy, webhook } = conversion
  if (!strategy) errors.push(required(`${path}.strategy`))
  else if (strategy !== 'None' && strategy !== 'Webhook') errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']))
  const configPath = `${path}.webhookClientConfig`
  const versionsPath = `${path}.conversionReviewVersions`
  const reviewVersions = webhook?.conversionReviewVersions ?? []
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig === undefined) errors.push(required(configPath, 'required when strategy is set to Webhook'))
    else addErrors(errors, clientConfigErrors(webhook.clientConfig, configPath, rules))
    return [...errors, ...reviewVersionErrors(reviewVersions, versionsPath, rules)]
  }
  const why = 'should not be set when strategy is not set to Webhook'
  if (webhook?.clientConfig !== undefined) errors.push(forbidden(configPath, why))
  if (reviewVersions.length > 0) errors.push(forbidden(versionsPath, why))
  return errors
}

function clientConfigErrors({ url, service, caBundle }: WebhookClientConfig, path: string, rules: ConversionRules): FieldError[] {
  const errors: FieldError[] = []
  if ((url === undefined) === (service === undefined)) errors.push(required(path, 'exactly one of url or service is required'))
  else if (url !== undefined) addErrors(errors, urlErrors(url, `${path}.url`))
  else if (service !== undefined) addErrors(errors, serviceErrors(service, `${path}.service`))
  const why = caBundle && !rules.allowInvalidCaBundle ? caBundleFault(caBundle) : undefined
  if (why !== undefined) errors.push(invalid(`${path}.caBundle`, caBundle, `unable to load root certificates: ${why}`))
  return errors
}

/** Base64 of PEM with at least one certificate, each of which at least looks like one. */
export const isCaBundle = (text: string): boolean => caBundleFault(text) === undefined

function caBundleFault(text: string): string | undefined {
  const pem = decodedBase64(text) ?? ''
  const blocks = [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    decodedBase64(body),
  )
  if (blocks.length === 0 || blocks.includes(undefined)) return 'unable to parse bytes as PEM block'
  return blocks.every((der) => isDerSequence(der as string)) ? undefined : 'failed to parse certificate: x509: malformed certificate'
}

function decodedBase64(text: string): string | undefined {
  try {
    return atob(text.replaceAll(/\s/g, ''))
  } catch {
    return undefined
  }
}

/** Is this one ASN.1 SEQUENCE, as long as it says? */
function isDerSequence(der: string): boolean {
  const byte = (i: number): number => der.charCodeAt(i)
  if (der.length < 2 || byte(0) !== 0x30) return false
  const lengthBytes = byte(1) < 0x80 ? 0 : byte(1) & 0x7f
  let length = lengthBytes === 0 ? byte(1) : 0
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + byte(2 + i)
  return length === der.length - 2 - lengthBytes
}

function urlErrors(text: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]'
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)
  if (match === null || text.includes(' ') || hasControl(text) || (match[1] !== undefined && !isRequestUri(text.replace(/#.*$/s, '')))) {
    return [required(path, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid URI${form}`)]
  }
  const [scheme = '', authority = '', query = '', fragment = ''] = match.slice(1)
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const errors: FieldError[] = []
  if (scheme.toLowerCase() !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(invalid(path, host, `host must be specified${form}`))
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

// kube-apiserver passes name and namespace to this check in the wrong order, so it reports each under the other's name.
function serviceErrors({ name, namespace, path: urlPath, port = 443 }: ServiceReference, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (!namespace) errors.push(required(`${path}.name`))
  if (!name) errors.push(required(`${path}.namespace`))
  if (port < 1 || port > 65535) errors.push(invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return errors
  const at = `${path}.path`
  if (urlPath === '//') return [...errors, invalid(at, urlPath, 'segment[0] may not be empty')]
  if (!urlPath.startsWith('/')) errors.push(invalid(at, urlPath, "must start with a '/'"))
  for (const [index, segment] of urlPath.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') errors.push(invalid(at, urlPath, `segment[${index}] may not be empty`))
    else for (const reason of isDns1123Subdomain(segment)) errors.push(invalid(at, urlPath, `segment[${index}]: ${reason}`))
  }
  return errors
}

function reviewVersionErrors(versions: readonly string[], path: string, rules: ConversionRules): FieldError[] {
  if (versions.length === 0) return [required(path)]
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(`${path}[${index}]`, version, 'duplicate version'))
    else for (const reason of isDns1035Label(version)) errors.push(invalid(`${path}[${index}]`, version, reason))
    seen.add(version)
  }
  if (rules.requireKnownReviewVersion && !hasKnownReviewVersion(versions)) {
    errors.push(invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`))
  }
  return errors
}
