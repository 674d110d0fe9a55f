const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}
const DIVISORS: Readonly<Record<string, number>> = { m: 1e3, u: 1e6, n: 1e9 }

/** A Kubernetes quantity (`10Gi`, `500m`, `1e3`) as a number; undefined when the text is none. */
export function parseQuantity(text: string): number | undefined {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(text)
  if (match === null) return undefined
  const [, mantissa = '', exponent = '', suffix = ''] = match
  const base = Number(mantissa + exponent)
  // Dividing by a power of ten is exact where multiplying by its reciprocal is not.
  const value = Object.hasOwn(DIVISORS, suffix) ? base / (DIVISORS[suffix] as number) : base * (FACTORS[suffix] as number)
  return Number.isFinite(value) ? value : undefined
}
