/** Flags, width and precision, an argument's number, the verb. */
const VERB = /%([-+# 0]*)(\d*)(\.\d*)?(\[\d+\])?(.)/gsu

export const hasVerb = (format: string, verbs: string): boolean =>
  [...format.matchAll(VERB)].some(([, , , , , verb = '']) => verb !== '%' && verbs.includes(verb))

/**
 * A format of Weft's for the function, which prints with Go's own rules. `any`: its arguments are whole numbers by now, and `%s` would print an error.
 * `fraction`: what `types` calls an integer comes as a fraction, and nothing can convert it before it is printed.
 * Undefined: the function has no verb for it.
 */
export function formatToCrossplane(format: string, as: 'any'): string
export function formatToCrossplane(format: string, as: 'fraction', types: readonly (string | undefined)[]): string | undefined
export function formatToCrossplane(
  format: string,
  as: 'any' | 'fraction',
  types: readonly (string | undefined)[] = [],
): string | undefined {
  let isSaid = true
  let next = 0
  const made = format.replaceAll(VERB, (whole, flags: string, width: string, precision = '', index = '', verb: string) => {
    if (verb === '%') return whole
    if (as === 'any') return verb === 's' ? `%${flags}${width}${precision}${index}v` : whole
    if (index !== '') next = Number(index.slice(1, -1)) - 1
    const type = types[next++]
    if (verb === 's' && type === 'number') return `%${flags}${width}${precision}${index}v`
    if (verb !== 'd' && !(type === 'integer' && 'svxX'.includes(verb))) return whole
    if (precision !== '' || verb === 'x' || verb === 'X') isSaid = false
    // For %v a plus does not ask for a sign.
    return `%${verb === 'd' ? flags : flags.replaceAll('+', '')}${width}.0${index}f`
  })
  return isSaid ? made : undefined
}
