import { addErrors, type FieldError, type KubeObject, deepEqual, field, indexPath, isDns1123Label, isDns1123Subdomain } from '@weft/api'
import { isSet, listAt, numberAt, textAt, textsAt } from '../read.ts'

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const MIN_SECONDS = 600
const STATUSES = ['False', 'True', 'Unknown']

export function validateRequest(object: KubeObject): FieldError[] {
  const usages = textsAt(object, 'spec', 'usages')
  const errors = validatePem(object)
  if (usages.length === 0) errors.push(field.required('spec.usages'))
  for (const [index, usage] of usages.entries()) {
    const path = indexPath('spec.usages', index)
    if (!USAGES.includes(usage)) errors.push(field.notSupported(path, usage, USAGES))
    if (usages.indexOf(usage) < index) errors.push(field.duplicate(path, usage))
  }
  addErrors(errors, validateSigner(textAt(object, 'spec', 'signerName')))
  const seconds = numberAt(object, 'spec', 'expirationSeconds')
  if (seconds !== undefined && seconds < MIN_SECONDS)
    errors.push(field.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'))
  return [...errors, ...validateConditions(object), ...validateCertificate(object)]
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString('latin1')

/** That the block parses is checked by who signs; here it must be a block of the right kind. */
function validatePem(object: KubeObject): FieldError[] {
  const request = textAt(object, 'spec', 'request')
  const isRequest = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----[^-]+-----END (?:NEW )?CERTIFICATE REQUEST-----/.test(decode(request))
  return isRequest ? [] : [field.invalid('spec.request', request === '' ? null : request, 'PEM block type must be CERTIFICATE REQUEST')]
}

function validateCertificate(object: KubeObject): FieldError[] {
  const text = decode(textAt(object, 'status', 'certificate'))
  const invalid = (why: string): FieldError[] => [field.invalid('status.certificate', '<certificate data>', why)]
  if (text === '') return []
  const blocks = [...text.matchAll(/-----BEGIN ([^-]+)-----/g)].map((match) => match[1] ?? '')
  if (blocks.length === 0) return invalid('must contain at least one CERTIFICATE PEM block')
  const other = blocks.find((type) => type !== 'CERTIFICATE')
  return other === undefined ? [] : invalid(`only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other)}`)
}

function validateSigner(name: string): FieldError[] {
  const path = 'spec.signerName'
  if (name === '') return [field.required(path)]
  if (name === 'kubernetes.io/legacy-unknown')
    return [field.invalid(path, name, 'the legacy signerName is not allowed via this API version')]
  const [domain, signer, more] = name.split('/')
  if (domain === undefined || signer === undefined || more !== undefined)
    return [field.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  const labels = domain.split('.')
  const errors = domain.length > 253 ? [field.tooLong(path, 253)] : []
  const bad = labels.find((label) => isDns1123Label(label).length > 0)
  if (bad !== undefined)
    addErrors(
      errors,
      isDns1123Label(bad).map((why) => field.invalid(path, domain, `validating label ${JSON.stringify(bad)}: ${why}`)),
    )
  if (labels.length < 2) errors.push(field.invalid(path, domain, 'should be a domain with at least two segments separated by dots'))
  const badPath = signer.split('.').find((label) => isDns1123Subdomain(label).length > 0)
  if (badPath !== undefined)
    addErrors(
      errors,
      isDns1123Subdomain(badPath).map((why) => field.invalid(path, signer, `validating label ${JSON.stringify(badPath)}: ${why}`)),
    )
  return errors
}

/** A decision is either taken or not there: its status can only be True. */
const DECISIONS = ['Approved', 'Denied', 'Failed']

function validateConditions(object: KubeObject): FieldError[] {
  const path = 'status.conditions'
  const conditions = listAt(object, 'status', 'conditions')
  const types = conditions.map((condition) => textAt(condition, 'type'))
  const errors = conditions.flatMap((condition, index) => {
    const type = types[index] ?? ''
    const status = textAt(condition, 'status')
    const allowed = DECISIONS.includes(type) ? ['True'] : STATUSES
    return [
      ...(type === '' ? [field.required(`${indexPath(path, index)}.type`)] : []),
      ...(status === '' ? [field.required(`${indexPath(path, index)}.status`)] : []),
      ...(status !== '' && !allowed.includes(status) ? [field.notSupported(`${indexPath(path, index)}.status`, status, allowed)] : []),
      ...(types.indexOf(type) < index ? [field.duplicate(`${indexPath(path, index)}.type`, type)] : []),
    ]
  })
  const later = Math.max(types.indexOf('Approved'), types.indexOf('Denied'))
  if (types.includes('Approved') && types.includes('Denied'))
    errors.push(field.invalid(path, types[later], 'Approved and Denied conditions are mutually exclusive'))
  return errors
}

export interface RequestChanges {
  readonly approval?: boolean
  readonly certificate?: boolean
}

const ofType = (object: KubeObject, type: string): unknown[] =>
  listAt(object, 'status', 'conditions').filter((condition) => textAt(condition, 'type') === type)

/** Decisions are final; each endpoint may change its own part only. */
export function validateRequestUpdate(next: KubeObject, old: KubeObject, allowed: RequestChanges): FieldError[] {
  const errors = validateRequest(next)
  const forbidden = (why: string): FieldError => field.forbidden('status.conditions', why)
  for (const type of DECISIONS)
    if (ofType(next, type).length < ofType(old, type).length)
      errors.push(forbidden(`updates may not remove a condition of type ${JSON.stringify(type)}`))
  for (const type of allowed.approval === true ? [] : ['Approved', 'Denied']) {
    const [before, after] = [ofType(old, type), ofType(next, type)]
    if (after.length > before.length) errors.push(forbidden(`updates may not add a condition of type ${JSON.stringify(type)}`))
    else if (after.length === before.length && !deepEqual(before, after))
      errors.push(forbidden(`updates may not modify a condition of type ${JSON.stringify(type)}`))
  }
  const certificate = textAt(old, 'status', 'certificate')
  if (textAt(next, 'status', 'certificate') !== certificate) {
    if (allowed.certificate !== true) errors.push(field.forbidden('status.certificate', 'updates may not set certificate content'))
    else if (isSet(certificate) && certificate !== '')
      errors.push(field.forbidden('status.certificate', 'updates may not modify existing certificate content'))
  }
  return errors
}
