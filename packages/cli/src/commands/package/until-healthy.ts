import type { KubeObject } from '@weft/api'
import { AWAITING_ACTIVATION } from '@weft/controllers'
import type { Cluster } from '../../cluster/index.ts'
import { formatDuration } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { waitForObject } from '../wait/wait-for-object.ts'
import { conditionOf, PACKAGE_GROUP } from './package-object.ts'

/** Waits until a package is installed and healthy, and says so; fails with the reason when it is not in time. */
export async function untilHealthy(
  cluster: Cluster,
  applied: KubeObject,
  { label, timeoutMs }: { label: string; timeoutMs: number },
): Promise<number> {
  const { name = '', generation } = applied.metadata
  const kind = await cluster.client.mapping({ group: PACKAGE_GROUP, kind: applied.kind })
  let last: KubeObject | undefined
  // What the conditions say is about the package as it was asked for only once they were written after that.
  const isDone = (object: KubeObject | undefined): boolean => {
    last = object
    return ['Installed', 'Healthy'].every((type) => {
      const found = conditionOf(object, type)
      return found?.status === 'True' && found.observedGeneration === generation
    })
  }
  const signal = AbortSignal.timeout(timeoutMs)
  // Short, so that a narrow terminal has room for what is going on: whichever revision it is, it is of this package.
  const met = await withProgress(`waiting for ${name}`, (tell) =>
    waitForObject(cluster, { kind, name, namespace: undefined }, isDone, {
      signal,
      onSeen: (object) => {
        const bad = badCondition(object)
        if (bad?.observedGeneration === generation && bad?.message) tell(withoutRevision(bad.message, name))
      },
    }),
  )
  if (met) {
    process.stdout.write(`${label} is healthy\n`)
    const { reason, message } = conditionOf(last, 'Healthy') ?? {}
    if (reason === AWAITING_ACTIVATION && message !== undefined) process.stderr.write(`${message}\n`)
    return 0
  }
  throw new CommandFailure(`${label} is not healthy after ${formatDuration(timeoutMs)}: ${whyNot(last)}`)
}

const withoutRevision = (message: string, name: string): string =>
  message.startsWith(`revision ${name}-`) ? message.replace(/^revision \S+?:? (is being installed)?/, '$1') : message

function whyNot(object: KubeObject | undefined): string {
  if (object === undefined) return 'it was deleted'
  const bad = badCondition(object)
  if (bad === undefined) return 'no controller has looked at it yet; is the control plane running?'
  return `${bad.type} is ${bad.status} (${bad.reason})${bad.message ? `: ${bad.message}` : ''}`
}

const badCondition = (object: KubeObject | undefined): ReturnType<typeof conditionOf> =>
  [conditionOf(object, 'Installed'), conditionOf(object, 'Healthy')].find(
    (condition) => condition !== undefined && condition.status !== 'True',
  )
