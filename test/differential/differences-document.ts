import { allowedDifferences } from './differences.ts'

/** `docs/differences.md`, from the list that the comparison itself uses. */
export function differencesDocument(): string {
  const rows = allowedDifferences.map(({ id, what, why }) => `### ${id}\n\n${what}\n\n${why}\n`)
  return `# Where the embedded server answers differently

The embedded server is compared with kube-apiserver 1.36, request by request (\`test/differential\`). Every response must
agree: status code, reason, message, causes, warnings, content type and the resulting object with its \`managedFields\`.
Values that a server generates (uids, versions, times, random names, tokens) are not compared, nor are:

- the order of \`managedFields\` entries, which depends on the second in which each write happened;
- the order and repetition of causes: Go iterates over maps in random order, and several layers report the same cause;
- objects quoted inside messages, which Go prints with the names and the order of its struct fields.

The differences below are known and intended. This page is generated from the list that the comparison uses;
any other difference that it finds is a bug in the embedded server.

${rows.join('\n')}`
}
