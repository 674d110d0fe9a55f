/** `vpc_id` → vpcId. No table of acronyms: everybody can tell the one name from the other. */
export function camelCase(name: string): string {
  const [first = '', ...rest] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}${rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}`
}

/**
 * Names of fields for the names of an object, no two alike. Where two would be (`a_1` and `a1`), the one that is spelt like the field has it and
 * the others keep the name that the provider gave them.
 */
export class FieldNames {
  readonly #byName = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(names: Iterable<string>) {
    const sorted = [...names].toSorted()
    const wish = (name: string): string => camelCase(name) || name
    // Who is called like the field it would be cannot be moved.
    const first = sorted.filter((name) => wish(name) === name)
    for (const name of [...first, ...sorted.filter((each) => wish(each) !== each)]) {
      const field = this.#taken.has(wish(name)) ? this.#free(name) : wish(name)
      this.#taken.add(field)
      this.#byName.set(name, field)
    }
  }

  of(name: string): string {
    return this.#byName.get(name) ?? name
  }

  /** A further field, for something that belongs to one: `passwordSecretRef`. Another name when that is one of the provider's. */
  derive(wanted: string): string {
    const field = this.#free(wanted)
    this.#taken.add(field)
    return field
  }

  /** Several that only make sense together; undefined when one of them is taken. */
  deriveAll(wanted: readonly string[]): boolean {
    if (wanted.some((each) => this.#taken.has(each))) return false
    for (const each of wanted) this.#taken.add(each)
    return true
  }

  #free(wanted: string): string {
    let field = wanted
    for (let i = 2; this.#taken.has(field); i++) field = `${wanted}${i}`
    return field
  }
}
