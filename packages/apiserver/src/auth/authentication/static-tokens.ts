import { hash, timingSafeEqual } from 'node:crypto'
import { type UserInfo, withAuthenticatedGroup } from '../user.ts'

/** Tokens from a file: each line `token,user,uid` or `token,user,uid,"group1,group2"`. */
export interface StaticTokens {
  /** Takes the same time whichever token is wrong, and however much of it is right. */
  userOf(token: string): UserInfo | undefined
  readonly size: number
}

export class TokenFileError extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.name = 'TokenFileError'
    this.line = line
  }
}

export function createStaticTokens(entries: Iterable<readonly [token: string, user: UserInfo]>): StaticTokens {
  // The table is keyed by digest: nobody can steer a digest byte by byte, so even the table look-up leaks nothing.
  const users = new Map<string, { digest: Buffer; user: UserInfo }>()
  for (const [token, user] of entries) {
    const digest = sha256(token)
    users.set(digest.toString('base64'), { digest, user: withAuthenticatedGroup(user) })
  }
  return {
    size: users.size,
    userOf(token) {
      const digest = sha256(token)
      const found = users.get(digest.toString('base64'))
      return found !== undefined && timingSafeEqual(found.digest, digest) ? found.user : undefined
    },
  }
}

/** Parses the CSV text. A later line with the same token wins. Messages never contain a token. */
export function parseTokenFile(text: string, path = 'token file'): StaticTokens {
  const entries: (readonly [string, UserInfo])[] = []
  for (const { fields, line } of csvRecords(text, path)) {
    const [token = '', username = '', uid = '', groups] = fields
    if (fields.length < 3)
      throw new TokenFileError(
        `${path}: line ${line} must have at least 3 columns (token, user name, user uid), found ${fields.length}`,
        line,
      )
    if (token === '') throw new TokenFileError(`${path}: line ${line} has an empty token: remove the line or give it a token`, line)
    if (username === '') throw new TokenFileError(`${path}: line ${line} has an empty user name: give it one`, line)
    const names = (groups ?? '').split(',').filter((name) => name !== '')
    entries.push([token, { username, ...(uid !== '' && { uid }), groups: names }])
  }
  return createStaticTokens(entries)
}

function* csvRecords(text: string, path: string): Generator<{ fields: string[]; line: number }> {
  let line = 1
  let offset = 0
  while (offset < text.length) {
    const start = line
    const fields: string[] = []
    for (;;) {
      const field = csvField(text, offset)
      if (field === undefined)
        throw new TokenFileError(`${path}: line ${start} has a quote that is not closed or not at the edge of its column`, start)
      fields.push(field.value)
      line += field.value.split('\n').length - 1
      offset = field.end + 1
      if (text[field.end] !== ',') break
    }
    if (text[offset - 1] === '\r') offset++
    line++
    if (fields.length > 1 || fields[0] !== '') yield { fields, line: start }
  }
}

/** One column from `offset`; `end` is the index of the comma or line end after it. */
function csvField(text: string, offset: number): { value: string; end: number } | undefined {
  if (text[offset] !== '"') {
    const rest = /[,\r\n]/.exec(text.slice(offset))
    const end = rest === null ? text.length : offset + rest.index
    const value = text.slice(offset, end)
    return value.includes('"') ? undefined : { value, end }
  }
  let value = ''
  for (let i = offset + 1; i < text.length; i++) {
    if (text[i] !== '"') value += text[i]
    else if (text[i + 1] === '"') value += text[++i]
    else return [',', '\r', '\n', undefined].includes(text[i + 1]) ? { value, end: i + 1 } : undefined
  }
  return undefined
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')
