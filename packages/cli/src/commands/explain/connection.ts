import { wrapped } from './format-schema.ts'
import type { DefinedConnection } from './defined-connection.ts'
import type { ManagedDefinition } from './managed-definitions.ts'

/** What a user of the kind finds in its connection secret, before there is one (M13). */
export function formatConnection({ group, kind, state, connectionDetails }: ManagedDefinition): string {
  const active = state === 'Active' ? 'Active' : `${state} (a ManagedResourceActivationPolicy activates it)`
  const details = connectionDetails.map(
    ({ name, description = '', type = 'string' }) =>
      `  ${name}\t<${type}>\n${wrapped(description === '' ? '<no description>' : description, '    ')}\n`,
  )
  return [
    `GROUP:      ${group}\n`,
    `KIND:       ${kind}\n`,
    `STATE:      ${active}\n\n`,
    details.length === 0 ? 'The kind has no connection details.\n' : `CONNECTION DETAILS:\n${details.join('')}`,
  ].join('')
}

/** The same for a kind that is composed: its definition says what every Composition of it has to provide. */
export function formatDefinedConnection({ group, kind, promised }: DefinedConnection): string {
  const details =
    promised === undefined
      ? 'Its definition promises no connection details: the secret contains what its Composition exposes.\n'
      : promised.length === 0
        ? 'The kind has no connection details.\n'
        : `CONNECTION DETAILS:\n${promised.map((name) => `  ${name}\t<string>\n`).join('')}`
  return `GROUP:      ${group}\nKIND:       ${kind}\n\n${details}`
}
