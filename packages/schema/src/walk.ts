import { type FieldError, MAX_FIELD_ERRORS } from '@weft/api'
import { invalid, under } from './messages.ts'

/**
 * The state of one validation: where we are, what was found, and how much matched. Paths are kept as steps and
 * rendered only when an error needs one.
 */
export class Walk {
  errors: FieldError[] = []
  /** How many checks passed: it decides which alternative of anyOf or oneOf is reported when none fits. */
  matches = 0
  /** Inside allOf, anyOf, oneOf and not; list types and embedded resources are checked outside only. */
  nested = false
  readonly metadataErrors: FieldError[] = []
  readonly listErrors: FieldError[] = []
  readonly #base: string
  // Written by index and never shrunk: this is the hottest state of the package.
  readonly #steps: (string | number)[] = []
  readonly #isKey: boolean[] = []
  #depth = 0

  constructor(base: string) {
    this.#base = base
  }

  /** Enter a property (`isKey` false), a map entry (`isKey` true) or a list item (a number). */
  enter(step: string | number, isKey: boolean): void {
    this.#steps[this.#depth] = step
    this.#isKey[this.#depth] = isKey
    this.#depth++
  }

  leave(): void {
    this.#depth--
  }

  /** More errors would be told to nobody: the rest need not be looked at. */
  get isFull(): boolean {
    return this.errors.length >= MAX_FIELD_ERRORS || this.listErrors.length >= MAX_FIELD_ERRORS
  }

  get isRoot(): boolean {
    return this.#depth === 0
  }

  /** Where parts that were found sound before need not be looked at again: near the root, and outside of alternatives. */
  get mayPassOver(): boolean {
    return this.#depth < SHARED_DEPTH && !this.nested
  }

  /** Nothing was found. */
  get isClean(): boolean {
    return this.errors.length === 0 && this.listErrors.length === 0 && this.metadataErrors.length === 0
  }

  /** As messages of schema keywords name it: `spec.map.key[0]`, with a leading dot for a map entry at the root. */
  get name(): string {
    let name = ''
    for (const [depth, step] of this.#shownSteps().entries()) {
      if (typeof step === 'number') name += `[${step}]`
      else if (depth === 0) name = this.#isKey[0] === true ? `.${step}` : step
      else name += `.${step}`
    }
    return name
  }

  /** `name` as the path of a field error. */
  path(name: string): string {
    return under(this.#base, name.startsWith('.') ? name.slice(1) : name)
  }

  /** As hand-written checks name it: map entries as `spec.map[key]`. */
  get structuralPath(): string {
    let path = this.#base
    for (const [depth, step] of this.#shownSteps().entries()) {
      path = typeof step === 'number' || this.#isKey[depth] === true ? `${path}[${step}]` : under(path, step)
    }
    return path
  }

  /** Steps as messages show them: every error below a key repeats it, and a key may be as long as the request. */
  #shownSteps(): (string | number)[] {
    return this.#steps.slice(0, this.#depth).map((step) => (typeof step === 'number' ? step : shownKey(step)))
  }

  /** A failure that kube-apiserver reports on the object as a whole, with the field in the text only. */
  failAtBase(why: string): void {
    this.errors.push(invalid(this.#base, '', why))
  }

  /** Runs `check` and answers what it found, leaving the walk as it was but for `matches`, which it answers too. */
  trial(check: () => void): { readonly errors: FieldError[]; readonly matches: number } {
    const { errors, matches } = this
    this.errors = []
    this.matches = 0
    check()
    const found = { errors: this.errors, matches: this.matches }
    this.errors = errors
    this.matches = matches
    return found
  }
}

const MAX_SHOWN_KEY = 512
/** Members of an object, and of its metadata. */
const SHARED_DEPTH = 2

/** A key as it is shown in paths. */
export const shownKey = (key: string): string => (key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}...` : key)
