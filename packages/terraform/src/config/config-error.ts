/** What a user wrote cannot be sent to the provider. Names the field as the user knows it, and never a value: it may be a secret. */
export class ConfigError extends Error {
  /** `spec.forProvider.ingress[0].fromPort` */
  readonly path: string
  readonly problem: string
  /** What to do about it, which is said once for all that have the same. */
  readonly advice: string | undefined

  constructor(path: string, problem: string, advice?: string) {
    super(`${path} ${problem}`)
    this.name = 'ConfigError'
    this.path = path
    this.problem = problem
    this.advice = advice
  }
}

/** Several at once: whoever mends one wants to know of the others. */
export class ConfigErrors extends Error {
  readonly errors: readonly ConfigError[]

  constructor(errors: readonly ConfigError[]) {
    const more = errors.length > SHOWN ? `; and ${errors.length - SHOWN} more` : ''
    const problems = errors.slice(0, SHOWN).map(({ message }) => message)
    const advice = new Set(errors.flatMap(({ advice: what }) => (what === undefined ? [] : [`: ${what}`])))
    super(`${problems.join('; ')}${more}${[...advice].join('')}`)
    this.name = 'ConfigErrors'
    this.errors = errors
  }
}

const SHOWN = 5
