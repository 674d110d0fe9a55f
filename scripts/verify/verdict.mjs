/**
 * Did a gate hold? One that passes without having looked at anything has not: a pattern that matches no file any more would pass for ever. `proof` finds
 * how many files it looked at in what it printed.
 * @param {{ status: number | null, output: string }} ended
 * @param {{ proof?: RegExp, least?: number }} gate
 * @returns {{ good: boolean, seen: number | undefined }}
 */
export function verdictOf({ status, output }, { proof, least = 1 }) {
  const seen = proof === undefined ? undefined : Number(proof.exec(output)?.[1] ?? 0)
  return { good: status === 0 && (seen === undefined || seen >= least), seen }
}
