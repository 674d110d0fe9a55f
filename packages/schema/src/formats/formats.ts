import { isBase64, isBsonObjectId, isCreditCard, isHexColor, isIsbn10, isIsbn13, isRgbColor, isSsn, isUuid } from './codes.ts'
import { isCidr, isHostname, isIpv4, isIpv6, isMac } from './network.ts'
import { isEmail } from './email.ts'
import { isDate, isDateTime, isDuration } from './time.ts'
import { isRequestUri } from './uri.ts'
import { remembering } from './remembering.ts'

type FormatCheck = (text: string) => boolean

const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** String formats that kube-apiserver enforces, by name without dashes. Any other format is documentation. */
const checks: readonly (readonly [string, FormatCheck])[] = [
  ['bsonobjectid', isBsonObjectId],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', isUuid.any],
  ['uuid3', isUuid.v3],
  ['uuid4', isUuid.v4],
  ['uuid5', isUuid.v5],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', isHexColor],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && shortName.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longName.test(text)],
]

const formats: ReadonlyMap<string, FormatCheck> = new Map(checks.map(([name, check]) => [name, remembering(check)]))

/** `date-time` and `datetime` are one format. */
export function stringFormat(name: string): FormatCheck | undefined {
  return formats.get(name.replaceAll('-', ''))
}

/** The format as far as it is enforced for this type; undefined when kube-apiserver ignores it. */
export function enforcedFormat(type: string | undefined, format: string | undefined): string | undefined {
  if (format === undefined || format === '') return undefined
  switch (type) {
    case undefined:
    case '':
    case 'string':
      return stringFormat(format) === undefined ? undefined : format
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : undefined
    case 'number':
      return format === 'float' || format === 'double' ? format : undefined
    default:
      return undefined
  }
}
