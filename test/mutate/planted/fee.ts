// A price list for the test of `npm run mutate`: fee is tested, discounted only half, and what it does below nothing not at all.

export function fee(days: number): number {
  let sum = 0
  for (let left = days; left > 0; left -= 7)
    if (left > 7) sum += 10
    else sum += 10
  return sum
}

export function discounted(sum: number, member: boolean): number {
  if (sum < 0) return 1
  return member ? sum / 2 : sum
}
