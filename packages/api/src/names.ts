/** Kubernetes' rules for names, and generated names. Each check answers the list of what is wrong, empty when fine. */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const dns1123Label = new RegExp(`^${LABEL}$`)
const dns1035Label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const dns1123Subdomain = new RegExp(`^${LABEL}(\\.${LABEL})*$`)
const qualifiedNamePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

/** Kubernetes counts bytes in all cases, but says so only of the parts of labels. */
const tooLong = (max: number): string => `must be no more than ${max} characters`
const tooManyBytes = (max: number): string => `must be no more than ${max} bytes`

export function isDns1123Label(value: string): string[] {
  const errors: string[] = []
  if (value.length > 63) errors.push(tooLong(63))
  if (dns1123Label.test(value)) return errors
  if (dns1123Subdomain.test(value)) errors.push('must not contain dots')
  else
    errors.push(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    )
  return errors
}

export function isDns1123Subdomain(value: string): string[] {
  const errors: string[] = []
  if (value.length > 253) errors.push(tooLong(253))
  if (!dns1123Subdomain.test(value))
    errors.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${LABEL}(\\.${LABEL})*')`,
    )
  return errors
}

export function isDns1035Label(value: string): string[] {
  const errors: string[] = []
  if (value.length > 63) errors.push(tooLong(63))
  if (!dns1035Label.test(value))
    errors.push(
      `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    )
  return errors
}

/** Names of RBAC objects and others that only need to be one path segment. */
export function isPathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return ['/', '%'].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`)
}

export function isQualifiedName(value: string): string[] {
  const parts = value.split('/')
  const errors: string[] = []
  let name = parts[0] ?? ''
  if (parts.length === 2) {
    const prefix = parts[0] ?? ''
    name = parts[1] ?? ''
    if (prefix === '') errors.push('prefix part must be non-empty')
    else errors.push(...isDns1123Subdomain(prefix).map((e) => `prefix part ${e === tooLong(253) ? tooManyBytes(253) : e}`))
  } else if (parts.length > 2) {
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  if (name === '') errors.push('name part must be non-empty')
  else if (name.length > 63) errors.push(`name part ${tooManyBytes(63)}`)
  if (!qualifiedNamePart.test(name))
    errors.push(
      `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    )
  return errors
}

export function isLabelValue(value: string): string[] {
  const errors: string[] = []
  if (value.length > 63) errors.push(tooManyBytes(63))
  if (!labelValue.test(value))
    errors.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    )
  return errors
}

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const MAX_GENERATED_BASE = 58

/** `base` cut to 58 characters plus five random ones. `random` answers in [0, 1). */
export function generateName(base: string, random: () => number): string {
  let suffix = ''
  for (let i = 0; i < 5; i++) suffix += SUFFIX_ALPHABET[Math.floor(random() * SUFFIX_ALPHABET.length)]
  return base.slice(0, MAX_GENERATED_BASE) + suffix
}

/** Could `generateName` have made this name from `base`? */
export const isGeneratedFrom = (name: string, base: string): boolean => name.slice(0, -5) === base.slice(0, MAX_GENERATED_BASE)

/** Where Weft's own objects are, and what belongs to cluster-scoped objects that name no namespace: connection secrets, credentials, pull secrets. */
export const SYSTEM_NAMESPACE = 'crossplane-system'
