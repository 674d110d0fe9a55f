import type { Attributes } from '@weft/apiserver'

/** Looked at so often whether what was refused is allowed by now: whoever allows it wants to see that it helped. */
const LOOK_MS = 5_000
/** Rules that are remembered of an account, and told at once. What it asks for is its own choice. */
const REMEMBERED = 16
const TOLD = 4
const PLAIN = /^[a-z0-9.-]{0,100}$/

/** What the programs of packages asked of the API server and were refused for lack of rights. Known to the server alone: logs say what programs want them to. */
export interface Refusals {
  /** Called by the server for everything that it refuses. */
  note(attributes: Attributes): void
  /** From now on what this user is refused is remembered, and `onChange` called when that becomes another. */
  follow(username: string, onChange: () => void): () => void
  /** What is to be done for it to have what it was refused and still is, in words; undefined when it was refused nothing. */
  advice(username: string, packageName: string): string | undefined
}

interface Followed {
  readonly refused: Map<string, Attributes>
  readonly onChange: () => void
}

export function refusals(isAllowed: (attributes: Attributes) => boolean): Refusals {
  const accounts = new Map<string, Followed>()
  const look = (): void => {
    for (const { refused, onChange } of accounts.values()) {
      const before = refused.size
      for (const [key, attributes] of refused) if (isAllowed(attributes)) refused.delete(key)
      if (refused.size < before) onChange()
    }
  }
  let looking: NodeJS.Timeout | undefined
  return {
    note(attributes) {
      const followed = accounts.get(attributes.user.username)
      const { resource, subresource, apiGroup, verb } = attributes
      if (
        followed === undefined ||
        !attributes.resourceRequest ||
        ![resource, subresource, apiGroup, verb].every((each) => PLAIN.test(each))
      )
        return
      const key = JSON.stringify([apiGroup, resourceOf(attributes), verb])
      if (followed.refused.has(key) || followed.refused.size >= REMEMBERED) return
      followed.refused.set(key, attributes)
      followed.onChange()
    },
    follow(username, onChange) {
      const followed: Followed = { refused: new Map(), onChange }
      accounts.set(username, followed)
      looking ??= setInterval(look, LOOK_MS).unref()
      return () => {
        if (accounts.get(username) === followed) accounts.delete(username)
        if (accounts.size > 0) return
        clearInterval(looking)
        looking = undefined
      }
    },
    advice(username, packageName) {
      const rules = rulesFor([...(accounts.get(username)?.refused.values() ?? [])])
      if (rules.length === 0) return undefined
      const more = rules.length > TOLD ? ` and ${rules.length - TOLD} more, which its log names` : ''
      return `the program was refused what its package has no right to; if you trust it with that, create a ClusterRole with the label pkg.weft.dev/aggregate-to-provider: ${packageName} and these rules: ${rules.slice(0, TOLD).join(', ')}${more}`
    },
  }
}

const resourceOf = ({ resource, subresource }: Attributes): string => (subresource === '' ? resource : `${resource}/${subresource}`)

/** As they are written in YAML, one for each resource. */
function rulesFor(refused: readonly Attributes[]): readonly string[] {
  const verbs = new Map<string, string[]>()
  for (const attributes of refused) {
    const rule = `{apiGroups: ["${attributes.apiGroup}"], resources: [${resourceOf(attributes)}]`
    verbs.set(rule, [...(verbs.get(rule) ?? []), attributes.verb])
  }
  return [...verbs].map(([rule, each]) => `${rule}, verbs: [${each.toSorted().join(', ')}]}`).toSorted()
}
