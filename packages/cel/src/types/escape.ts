/**
 * Property names as CEL identifiers. Kubernetes lets rules reach `self.a-b` as `self.a__dash__b`; a name with other
 * characters cannot be reached.
 */
const KEYWORDS: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
)
const ESCAPES: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]

/** The identifier for a property; undefined when there is none. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  if (KEYWORDS.has(name)) return `__${name}__`
  return name.replace(/__|[./-]/g, (part) => ESCAPES.find(([plain]) => plain === part)?.[1] ?? part)
}
