import { type KubeObject, messageOf } from '@weft/api'

const LONGEST = 400

/**
 * Why the server calls a composed resource invalid, for a condition: the same words at every pass, so that the condition does not change by itself.
 * `composite` is what composes it.
 */
export function whyInvalid(error: unknown, composite: KubeObject): string {
  const text = messageOf(error)
  const controllers = /Only one reference can have Controller set to true.* in references for (\S+) and (\S+?)\.?$/s.exec(text)?.slice(1)
  const other = controllers?.find((each) => each !== `${composite.kind}/${composite.metadata.name ?? ''}`)
  const what = text.split(' is invalid: ', 1)[0] ?? ''
  if (other !== undefined) return `${what} belongs to ${other.replace('/', ' ')}, which controls it`
  // Servers print addresses of their own memory in some values.
  const stable = text.replaceAll(/\b0x[0-9a-f]{6,}\b/g, '0x…')
  return stable.length > LONGEST ? `${stable.slice(0, LONGEST)}…` : stable
}
