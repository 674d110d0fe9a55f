import { type FieldError, field, isDns1123Subdomain } from '@weft/api'
import { at, isSet, numberAt, textAt } from '../read.ts'

/** Where a webhook is: exactly one of url and service. */
export function validateClientConfig(config: unknown, path: string): FieldError[] {
  const url = at(config, 'url')
  const service = at(config, 'service')
  if (isSet(url) === isSet(service)) return [field.required(path, 'exactly one of url or service is required')]
  return isSet(url) ? validateUrl(String(url), `${path}.url`) : validateService(service, `${path}.service`)
}

const FORM = '; desired format: https://host[/path]'

function validateUrl(text: string, path: string): FieldError[] {
  const parts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)
  if (parts === null || /[\s\p{Cc}]/u.test(text))
    return [field.required(path, `url must be a valid URL: it holds characters that must be escaped${FORM}`)]
  const [, scheme = '', user, host = '', query = '', fragment = ''] = parts
  const errors: FieldError[] = []
  if (scheme !== 'https') errors.push(field.invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`))
  if (host === '') errors.push(field.invalid(path, host, `host must be specified${FORM}`))
  if (user !== undefined) errors.push(field.invalid(path, user, 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(field.invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(field.invalid(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

function validateService(service: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (textAt(service, 'name') === '') errors.push(field.required(`${path}.name`))
  if (textAt(service, 'namespace') === '') errors.push(field.required(`${path}.namespace`))
  const port = numberAt(service, 'port') ?? 443
  if (port < 1 || port > 65_535)
    errors.push(field.invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  return [...errors, ...validateServicePath(textAt(service, 'path'), `${path}.path`)]
}

function validateServicePath(text: string, path: string): FieldError[] {
  if (text === '' || text === '/') return []
  if (text === '//') return [field.invalid(path, text, 'segment[0] may not be empty')]
  const errors = text.startsWith('/') ? [] : [field.invalid(path, text, "must start with a '/'")]
  const steps = text.slice(1).replace(/\/$/, '').split('/')
  const wrong = steps.flatMap((step, index) =>
    step === ''
      ? [field.invalid(path, text, `segment[${index}] may not be empty`)]
      : isDns1123Subdomain(step).map((why) => field.invalid(path, text, `segment[${index}]: ${why}`)),
  )
  return [...errors, ...wrong]
}
