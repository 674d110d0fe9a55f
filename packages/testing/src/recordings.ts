import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where recorded answers of Crossplane's own programs may be: beside the repository, or where this variable says. They are no part of it. */
const ORACLE_VARIABLE = 'WEFT_ORACLE'

/** The path of a recording; undefined where there is none, and a test that needs it is skipped. */
export function recording(name: string): string | undefined {
  const folder = process.env[ORACLE_VARIABLE] ?? fileURLToPath(new URL('../../../../shared/crossplane-oracle', import.meta.url))
  const path = `${folder}/${name}`
  return existsSync(path) ? path : undefined
}

/** The cases of a recording of one JSON object a line; none where there is no recording. */
export function recordedCases<T>(name: string): readonly T[] {
  const path = recording(name)
  if (path === undefined) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
