/** What a registry wants: one entry of WWW-Authenticate. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

const SCHEME = /\s*([A-Za-z][A-Za-z0-9-]*)(?:\s+|$|,)/y
const PARAMETER = /\s*([A-Za-z][A-Za-z0-9_-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*,?/y

/** Reads WWW-Authenticate: `Bearer realm="…",service="…", Basic realm="…"`. What it cannot read it leaves out. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: Challenge[] = []
  let at = 0
  while (at < header.length) {
    SCHEME.lastIndex = at
    const scheme = SCHEME.exec(header)?.[1]
    if (scheme === undefined) break
    at = SCHEME.lastIndex
    const parameters: Record<string, string> = {}
    for (;;) {
      PARAMETER.lastIndex = at
      const match = PARAMETER.exec(header)
      if (match === null) break
      parameters[(match[1] as string).toLowerCase()] = match[3] ?? (match[2] as string).replaceAll(/\\(.)/g, '$1')
      at = PARAMETER.lastIndex
    }
    challenges.push({ scheme: scheme.toLowerCase(), parameters })
  }
  return challenges
}
