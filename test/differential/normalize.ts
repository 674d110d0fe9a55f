/**
 * Makes answers of two servers comparable: what a server makes up itself (uids, versions, times, tokens, random names)
 * becomes a placeholder. The uids of one name and the versions of one object are numbered in the order in which they
 * appear, so that "the same as before" and "another one" still compare.
 */
export class Normalizer {
  readonly #uids = new Map<string, string>()
  readonly #incarnations = new Map<string, number>()
  readonly #versions = new Map<string, Map<string, string>>()
  readonly #names = new Map<string, string>()

  normalize(value: unknown): unknown {
    return this.#value(value, '')
  }

  #value(value: unknown, key: string): unknown {
    if (typeof value === 'string') return this.#text(value, key)
    if (Array.isArray(value)) return (key === 'managedFields' ? sortedManagers(value) : value).map((item) => this.#value(item, key))
    if (typeof value !== 'object' || value === null) return value
    const object = value as Record<string, unknown>
    const result: Record<string, unknown> = {}
    this.#learnName(object)
    this.#learnUid(object)
    if (object['kind'] === 'Status') value = comparableStatus(object)
    for (const name of Object.keys(value as object).sort()) {
      const inner = (value as Record<string, unknown>)[name]
      if (name === 'resourceVersion' && typeof inner === 'string') result[name] = this.#version(inner, object)
      else if (name === 'time' && typeof inner === 'string' && typeof object['operation'] === 'string') result[name] = '<time>'
      else result[this.#text(name, '')] = this.#value(inner, name)
    }
    return result
  }

  /** A name that the server generated is known by the generateName beside it. */
  #learnName({ name, generateName }: Record<string, unknown>): void {
    if (
      typeof name === 'string' &&
      typeof generateName === 'string' &&
      generateName !== '' &&
      name.startsWith(generateName.slice(0, 58)) &&
      !this.#names.has(name)
    )
      this.#names.set(name, `${generateName.slice(0, 58)}<random>`)
  }

  #learnUid({ name, uid, generateName }: Record<string, unknown>): void {
    if (typeof name !== 'string' || typeof uid !== 'string' || this.#uids.has(uid)) return
    const stem = typeof generateName === 'string' && generateName !== '' ? generateName : name
    const incarnation = (this.#incarnations.get(stem) ?? 0) + 1
    this.#incarnations.set(stem, incarnation)
    this.#uids.set(uid, `<uid ${incarnation} of ${stem}>`)
  }

  #version(version: string, { uid, name }: Record<string, unknown>): string {
    if (version === '' || version === '0') return version
    if (typeof uid !== 'string') return typeof name === 'string' ? '<version>' : '<revision>'
    const known = this.#versions.get(uid) ?? new Map<string, string>()
    this.#versions.set(uid, known)
    let label = known.get(version)
    if (label === undefined) known.set(version, (label = `<version ${known.size + 1}>`))
    return label
  }

  #text(text: string, key: string): string {
    if (key === 'continue' && text !== '') return continueToken(text)
    if (key === 'serverAddress') return '<address>'
    if (key === 'token' && text.split('.').length === 3) return '<jwt>'
    let result = sortedProblems(text)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) => this.#uid(uid))
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, '<time>')
      // Addresses that a server picks; scenarios name theirs from the lowest 256, which are left to those who do.
      .replace(/\b10\.0\.(?!0\.)\d+\.\d+\b/g, '<address>')
      .replace(/(resource version:? )\d+/gi, '$1<revision>')
      .replace(/(current: )\d+/g, '$1<revision>')
      .replace(/(ResourceVersion in (?:precondition|object meta): )\d{1,9}\b/g, '$1<version>')
      .replace(/(ResourceVersion in record \()\d+/g, '$1<version>')
      // One digit is what a scenario made up; more is what a server gave.
      .replace(/(ResourceVersion in the precondition \()\d{2,9}\b/g, '$1<version>')
      .replace(/(larger than max \()\d+/g, '$1<bytes>')
      .replace(/(too old resource version: <revision>) \(\d+\)/g, '$1 (<revision>)')
    for (const [name, label] of this.#names) if (result.includes(name)) result = result.replaceAll(name, label)
    // Of what was just made, in seconds; of what the server made when it started, in more; of what bears a date long ago, in years.
    return key === 'cells' ? result.replace(/^(\d+s|\d+m(\d+s)?|\d+h(\d+m)?|\d+d(\d+h)?|\d+y(\d+d)?)$/, '<age>') : result
  }

  #uid(uid: string): string {
    return this.#uids.get(uid) ?? '<uid>'
  }
}

interface Cause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/**
 * Several layers of kube-apiserver report the same cause, maps are walked in random order, and the message repeats the
 * causes: each is compared once, in one order. Objects are quoted with the names and order of Go's fields: not compared.
 */
function comparableStatus(status: Record<string, unknown>): Record<string, unknown> {
  const details = status['details'] as { causes?: readonly Cause[] } | undefined
  if (details?.causes === undefined) return status
  // By the same keys in the same order: in YAML they stand in another than in JSON.
  const texts = new Set(
    details.causes.map(({ reason, message = '', field }) => JSON.stringify({ reason, message: withoutPatch(message), field })),
  )
  const causes = [...texts].sort().map((text) => JSON.parse(text) as unknown)
  const message = String(status['message'])
  return {
    ...status,
    details: { ...details, causes },
    message: causes.length > 1 ? message.replace(/ is invalid: .*/s, ' is invalid: <causes>') : withoutPatch(message),
  }
}

const withoutPatch = (message: string): string =>
  message
    .replace(/(Invalid value: )"(\{|map\[).*": /s, '$1<patched object>: ')
    .replace(/(Invalid value: )(\{.*\}|\[\{.*\}\]): /s, '$1<value>: ')

/** The problems of an applied object, which Go finds in random order. */
function sortedProblems(text: string): string {
  const mark = ': errors:\n'
  const at = text.indexOf(mark)
  if (at < 0) return text
  return `${text.slice(0, at + mark.length)}${text
    .slice(at + mark.length)
    .split('\n')
    .sort()
    .join('\n')}`
}

/** Order depends on the second in which each write happened, which two servers need not share. */
function sortedManagers(entries: readonly unknown[]): unknown[] {
  const keyOf = (entry: unknown): string => {
    const { operation, manager, apiVersion, subresource } = entry as Record<string, unknown>
    return JSON.stringify([operation, manager, apiVersion, subresource])
  }
  return [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function continueToken(token: string): string {
  try {
    const { rv, start, at: _ours, ...rest } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>
    return `<continue ${JSON.stringify({ ...rest, start, ...(Number(rv) < 0 && { rv }) })}>`
  } catch {
    return token
  }
}
