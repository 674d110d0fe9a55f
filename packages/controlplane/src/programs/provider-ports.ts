import type { AnyPort } from '@weft/program'
import { freePort, UNKNOWN_FLAG } from './image-program.ts'
import { isTaken, nextAnyPort } from './taken-port.ts'

/** Where a provider's program is told to listen. */
export interface ProviderPorts {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly webhook: number
  /** It insists on ports that others have: the system is to choose others. */
  readonly anyPort: AnyPort | undefined
  /** Do these last words refuse a flag that it was given? */
  refused(words: string): boolean
}

const HOST = '127.0.0.1'
const FLAGS = ['metrics-bind-address', 'webhook-port'] as const
/** Ends in a row, with flags, after which it is tried without: perhaps it does not know them, and says so in other words. */
const PATIENCE = 3

/**
 * All programs share the ports of this machine, and each was written to have them to itself. They are told of others by their environment, which does no
 * harm to those that do not look there, and by flags. Programs end at a flag that they do not know, and many know only one of these: what one refuses by
 * name is left out from then on. They are told at once, and not only when a port was taken: those that know better leave the usual ports to those that
 * know no others. One that was told and ends since a port is taken will not listen elsewhere by itself: where `choosable`, the system chooses for it from
 * then on. `given` is what somebody set for it, which counts. Called before each start, with the last words of the run before.
 */
export function providerPorts(
  given: readonly string[] = [],
  { choosable = false }: { readonly choosable?: boolean } = {},
): (before: string) => Promise<ProviderPorts> {
  let known = FLAGS.filter((flag) => !given.some((arg) => arg.includes(`-${flag}`)))
  let told = true
  let ends = 0
  let anyPort: AnyPort | undefined
  return async (before) => {
    const refused = known.filter((flag) => told && before.includes(flag))
    if (refused.length > 0) {
      known = known.filter((flag) => !refused.includes(flag))
      ends = 0
    } else if (told && UNKNOWN_FLAG.test(before)) known = []
    else if (told && choosable && isTaken(before)) anyPort = nextAnyPort(anyPort)
    else if (told && before !== '' && ++ends === PATIENCE) told = false
    else if (!told && isTaken(before)) [told, ends] = [true, 0]
    const webhook = await freePort(HOST)
    const [metrics, health] = [`${HOST}:${await freePort(HOST)}`, `${HOST}:${await freePort(HOST)}`]
    const values = { 'metrics-bind-address': metrics, 'webhook-port': String(webhook) }
    return {
      args: told ? known.map((flag) => `--${flag}=${values[flag]}`) : [],
      env: { METRICS_BIND_ADDRESS: metrics, WEBHOOK_PORT: values['webhook-port'], HEALTH_PROBE_BIND_ADDRESS: health },
      webhook,
      anyPort,
      refused: (words) => told && UNKNOWN_FLAG.test(words) && known.some((flag) => words.includes(flag)),
    }
  }
}
