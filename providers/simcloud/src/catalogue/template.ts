/**
 * `{...}` in a template of a data file. Known: name, account, id, shortId, parameters.<path>, outputs.<name> and
 * connection.<name> of details that come earlier; `{x|base64}` encodes. `{{` and `}}` stand for braces.
 */
export type Variables = (variable: string) => string | undefined

const TOKEN = /\{\{|\}\}|\{([^{}|]*)(\|base64)?\}/g

export function variablesOf(template: string): string[] {
  return [...template.matchAll(TOKEN)].flatMap(([, variable]) => (variable === undefined ? [] : [variable]))
}

/** Braces that are neither a variable nor doubled: a slip that would otherwise reach users as it stands. */
export const hasStrayBrace = (template: string): boolean => /[{}]/.test(template.replace(TOKEN, ''))

/** A variable without a value becomes the empty string: a parameter may be optional. */
export function expand(template: string, variables: Variables): string {
  return template.replace(TOKEN, (token, variable: string | undefined, filter: string | undefined) => {
    if (variable === undefined) return token === '{{' ? '{' : '}'
    const value = variables(variable) ?? ''
    return filter === undefined ? value : Buffer.from(value).toString('base64')
  })
}
