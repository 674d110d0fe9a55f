import manifest from '../package.json' with { type: 'json' }

/** Which release of Weft a kind was installed by. */
export const RELEASE = 'weft.dev/release'

/** The release that this code is of. */
export const OWN_RELEASE: string = manifest.version

/** By their numbers, as in 0.10.0 after 0.9.1. What is no release is older than any. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => (/^\d+\.\d+\.\d+/.exec(release)?.[0] ?? '-1.0.0').split('.').map(Number)) as [
    number[],
    number[],
  ]
  const at = left.findIndex((part, i) => part !== right[i])
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}
