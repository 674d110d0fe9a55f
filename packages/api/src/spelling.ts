/** Does one slip of the hand turn one word into the other: a letter too many, too few, another one, or two that changed places? */
export function isSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const restA = a.slice(at)
  const restB = b.slice(at)
  const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return swapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** The known word that was probably meant. Very short words are too easily alike. */
export const meantInstead = (written: string, known: Iterable<string>): string | undefined => {
  if (written.length < 3) return undefined
  for (const word of known) if (word.length > 2 && isSlip(written, word)) return word
  return undefined
}
