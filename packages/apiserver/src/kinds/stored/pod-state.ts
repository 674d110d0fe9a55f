import type { KubeObject } from '@weft/api'
import { at, isSet, listAt, numberAt, textAt } from '../read.ts'

/** `1/2`: containers that run and are ready, of all. */
export function readyContainers(pod: KubeObject): string {
  const sidecars = listAt(pod, 'spec', 'initContainers').filter((container) => textAt(container, 'restartPolicy') === 'Always')
  const ready = listAt(pod, 'status', 'containerStatuses').filter(
    (state) => at(state, 'ready') === true && isSet(at(state, 'state', 'running')),
  )
  return `${ready.length}/${listAt(pod, 'spec', 'containers').length + sidecars.length}`
}

/** In one word what a pod is doing, or what keeps it from doing it. */
export function podReason(pod: KubeObject): string {
  const phase = textAt(pod, 'status', 'phase')
  const reason = textAt(pod, 'status', 'reason')
  if (pod.metadata.deletionTimestamp !== undefined && reason === 'NodeLost') return 'Unknown'
  if (pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating'
  const gated = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  )
  const whole = gated ? 'SchedulingGated' : reason || phase
  return initReason(pod) ?? containerReason(pod, whole)
}

function initReason(pod: KubeObject): string | undefined {
  const states = listAt(pod, 'status', 'initContainerStatuses')
  const index = states.findIndex((state) => numberAt(state, 'state', 'terminated', 'exitCode') !== 0 && at(state, 'started') !== true)
  if (index < 0) return undefined
  const state = states[index]
  if (isSet(at(state, 'state', 'terminated'))) return `Init:${endOf(state)}`
  const waiting = textAt(state, 'state', 'waiting', 'reason')
  return waiting !== '' && waiting !== 'PodInitializing'
    ? `Init:${waiting}`
    : `Init:${index}/${listAt(pod, 'spec', 'initContainers').length}`
}

function containerReason(pod: KubeObject, whole: string): string {
  let reason = whole
  let failure = ''
  let running = false
  for (const state of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    const waiting = textAt(state, 'state', 'waiting', 'reason')
    if (waiting !== '') reason = waiting
    else if (isSet(at(state, 'state', 'terminated'))) {
      reason = endOf(state)
      if ((numberAt(state, 'state', 'terminated', 'exitCode') ?? 0) !== 0) failure = reason
    } else if (at(state, 'ready') === true) running = true
  }
  if (reason !== 'Completed') return reason
  const isReady = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  )
  return running && isReady ? 'Running' : failure || (running ? 'NotReady' : reason)
}

function endOf(state: unknown): string {
  const signal = numberAt(state, 'state', 'terminated', 'signal') ?? 0
  const ended = textAt(state, 'state', 'terminated', 'reason')
  return ended || (signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(state, 'state', 'terminated', 'exitCode') ?? 0}`)
}
