/** One alternative of an Accept header. */
export interface AcceptClause {
  readonly type: string
  readonly subtype: string
  readonly q: number
  readonly parameters: ReadonlyMap<string, string>
}

/** Alternatives that are looked at: many more than any client sends. Each is put in its place among all before it. */
const MOST_CLAUSES = 64

/**
 * The alternatives of an Accept header in the order in which Kubernetes tries them: by q, except that what is named goes
 * before what a wildcard covers. What cannot be read is left out, as it is there; so is the case of letters, which counts.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = []
  for (const part of header.split(',', MOST_CLAUSES)) {
    const clause = parseClause(trimmed(part))
    if (clause !== undefined) place(clauses, clause)
  }
  return clauses
}

/** Into its place from the end. The order is not transitive, so how one sorts decides: so does Kubernetes. */
function place(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length
  while (at > 0 && goesBefore(clause, clauses[at - 1] as AcceptClause)) at--
  clauses.splice(at, 0, clause)
}

const goesBefore = (a: AcceptClause, b: AcceptClause): boolean =>
  a.q > b.q || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*')

function parseClause(text: string): AcceptClause | undefined {
  const [media = '', ...rest] = text.split(';')
  const [type = '', subtype = '', more = ''] = media.split('/').map(trimmed)
  if (more !== '' || (subtype === '' && type !== '*')) return undefined
  const parameters = new Map<string, string>()
  let q = 1
  for (const parameter of rest) {
    const [name = '', value = '', surplus = ''] = parameter.split('=')
    if (value === '' || surplus !== '') continue
    if (trimmed(name) === 'q') q = quality(value)
    else parameters.set(trimmed(name), trimmed(value))
  }
  return { type, subtype: subtype || '*', q, parameters }
}

const trimmed = (text: string): string => text.replace(/^ +| +$/g, '')

const quality = (text: string): number => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : 0)
