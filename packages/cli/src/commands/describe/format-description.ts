import { type Condition, isJsonObject, type KubeObject } from '@weft/api'
import type { CoreEvent } from '@weft/client'
import { formatAge, formatTable } from '../../output/index.ts'
import { byTime, formatOccurrence, singleLine } from '../events/event-rows.ts'
import { conditionsOf } from '../wait/condition.ts'
import { concealed, HIDDEN_ANNOTATIONS } from './conceal.ts'
import { findReferences } from './references.ts'
import { formatTree } from './tree.ts'

const LABEL_WIDTH = 15

/** Everything about one object, for a person. */
export function formatDescription(object: KubeObject, events: readonly CoreEvent[] | undefined, now: number): string {
  const { apiVersion, kind, metadata, ...rest } = concealed(object)
  const { status, ...body } = rest
  return [
    field('Name', metadata.name ?? ''),
    metadata.namespace === undefined ? '' : field('Namespace', metadata.namespace),
    field('Kind', `${kind} (${apiVersion})`),
    field('Created', `${metadata.creationTimestamp ?? '<unknown>'} (${formatAge(metadata.creationTimestamp, now)} ago)`),
    pairs('Labels', metadata.labels),
    pairs('Annotations', withoutHidden(metadata.annotations)),
    owners(object),
    deletion(object, now),
    ...Object.entries(body).map(([name, value]) => section(title(name), value)),
    section('Status', withoutConditions(status)),
    conditions(conditionsOf(object), object.metadata.generation, now),
    references(object),
    events === undefined ? '' : eventLines(events, now),
  ].join('')
}

const field = (name: string, value: string): string => `${`${name}:`.padEnd(LABEL_WIDTH)} ${value}\n`

function pairs(name: string, values: Readonly<Record<string, string>> | undefined): string {
  const lines = Object.entries(values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  if (lines.length === 0) return field(name, '<none>')
  return lines
    .map(([key, value], index) =>
      index === 0 ? field(name, `${key}: ${singleLine(value)}`) : `${' '.repeat(LABEL_WIDTH + 1)}${key}: ${singleLine(value)}\n`,
    )
    .join('')
}

function withoutHidden(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !HIDDEN_ANNOTATIONS.has(key)))
}

function owners({ metadata }: KubeObject): string {
  const [...all] = metadata.ownerReferences ?? []
  if (all.length === 0) return ''
  return field(
    'Owned by',
    all.map(({ kind, name, controller }) => `${kind}/${name}${controller === true ? '' : ' (not its controller)'}`).join(', '),
  )
}

function deletion({ metadata }: KubeObject, now: number): string {
  const finalizers = metadata.finalizers ?? []
  const waits = finalizers.length === 0 ? '' : `; goes when these are done: ${finalizers.join(', ')}`
  if (metadata.deletionTimestamp !== undefined) return field('Being deleted', `for ${formatAge(metadata.deletionTimestamp, now)}${waits}`)
  return finalizers.length === 0 ? '' : field('Finalizers', finalizers.join(', '))
}

const title = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function section(name: string, value: unknown): string {
  if (value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)) return ''
  if (typeof value !== 'object' || value === null) return field(name, String(value))
  return `${name}:\n${formatTree(value, '  ')}`
}

function withoutConditions(status: unknown): unknown {
  if (!isJsonObject(status)) return status
  const { conditions: _, ...rest } = status
  return rest
}

/** What a condition says, as a sentence: `Ready is False for 5m: Creating (waiting for the server)`. */
function conditions(all: readonly Condition[], generation: number | undefined, now: number): string {
  if (all.length === 0) return ''
  const lines = all.map(({ type, status, reason, message, lastTransitionTime, observedGeneration }) => {
    const since = lastTransitionTime === undefined ? '' : ` for ${formatAge(lastTransitionTime, now)}`
    const why = [reason ?? '', singleLine(message)].filter((part) => part !== '')
    const outdated =
      observedGeneration !== undefined && generation !== undefined && observedGeneration < generation
        ? ' [of an earlier version of the object]'
        : ''
    return `  ${type} is ${status}${since}${why.length === 0 ? '' : `: ${why[0] ?? ''}${why[1] === undefined ? '' : ` (${why[1]})`}`}${outdated}\n`
  })
  return `Conditions:\n${lines.join('')}`
}

function references(object: KubeObject): string {
  const found = findReferences(object)
  if (found.length === 0) return ''
  return `References:\n${formatTable(found.map(({ path, target }) => [`  ${path}`, target]))}`
}

function eventLines(events: readonly CoreEvent[], now: number): string {
  if (events.length === 0) return field('Events', '<none>')
  const rows = byTime(events).map((event) => [
    `  ${event.type ?? ''}`,
    event.reason ?? '',
    formatOccurrence(event, now),
    event.source?.component ?? event.reportingComponent ?? '',
    singleLine(event.message),
  ])
  return `Events:\n${formatTable([['  TYPE', 'REASON', 'AGE', 'FROM', 'MESSAGE'], ...rows])}`
}
