import { GRANTED } from './provider-account.ts'

/** As API servers refuse, in whatever way a program prints it. */
const REFUSAL =
  /is forbidden: User \\?"system:serviceaccount:[^"\s]+" cannot (\w{1,20}) resource \\?"([\w./-]{1,100}?)\\?" in API group \\?"([\w.-]{0,100}?)\\?"/

/**
 * What a provider was refused, from what it prints. Programs that were written for Crossplane may list every Secret there; here they wait for ever for a list that they
 * never get, and say so in their log alone.
 */
export function refusedIn(said: string, packageName: string): string | undefined {
  const [, verb, resource, group] = REFUSAL.exec(said) ?? []
  if (verb === undefined || resource === undefined) return undefined
  const what = group === '' || group === undefined ? resource : `${resource}.${group}`
  return `it runs, but may not ${verb} ${what} as it wants to, and may wait for that; an administrator who trusts it allows it by a ClusterRole with the label ${GRANTED}: ${packageName}`
}
