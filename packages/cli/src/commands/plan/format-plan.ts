import { isReference, stringifyJson } from '@weft/api'
import type { FieldChange, Plan, PlannedChange } from '@weft/plan'
import { style } from '../../report.ts'
import { formatProviderPlan } from './format-provider-plan.ts'

type Colour = Parameters<typeof style>[0]
type Action = PlannedChange['action'] | 'replace'

const SIGNS: Readonly<Record<Action, readonly [sign: string, colour: Colour]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  replace: ['±', 'red'],
  delete: ['-', 'red'],
  keep: ['=', 'cyan'],
}

export interface PlanFormat {
  /** Also the fields that the control plane keeps for itself. */
  readonly all?: boolean | undefined
}

/** For people: each object with a sign, what hangs below it indented, a count at the end, and what would be lost for good. */
export function formatPlan({ changes }: Plan, { all = false }: PlanFormat = {}): string {
  if (changes.length === 0) return 'Nothing would change.\n'
  return `${changes.map((change) => formatChange(change, all)).join('')}\n${summaryOf(changes)}${lossesOf(changes)}`
}

/** What has to be replaced is an update to the API and a loss to its owner. */
const actionOf = ({ action, provider }: PlannedChange): Action => (provider?.action === 'replace' ? 'replace' : action)

function summaryOf(changes: readonly PlannedChange[]): string {
  const count = (action: Action): number => changes.filter((change) => actionOf(change) === action).length
  const [replaced, kept] = [count('replace'), count('keep')]
  const parts = [
    `${count('create')} to create`,
    `${count('update')} to change`,
    ...(replaced === 0 ? [] : [`${replaced} to replace`]),
    `${count('delete')} to delete`,
    ...(kept === 0 ? [] : [`${kept} kept`]),
  ]
  return `Plan: ${parts.join(', ')}.\n`
}

/** The last thing that somebody reads before approving. */
function lossesOf(changes: readonly PlannedChange[]): string {
  const lost = changes.flatMap(({ object, destroys }) => (destroys === undefined ? [] : [`${nameOf(object)} (external name ${destroys})`]))
  if (lost.length === 0) return ''
  return `${style('red', 'Destroyed, with all data in it:', process.stdout)}\n${lost.map((each) => `  ${each}\n`).join('')}`
}

const nameOf = ({ kind, namespace, name }: PlannedChange['object']): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

function formatChange(change: PlannedChange, all: boolean): string {
  const { object, depth, why, fields = [], provider } = change
  const [sign, colour] = SIGNS[actionOf(change)]
  const indent = '  '.repeat(depth)
  const shown = all ? fields : fields.filter(({ bookkeeping }) => bookkeeping !== true)
  const notes = [
    ...(why === undefined ? [] : [why]),
    ...(change.action === 'update' && shown.length === 0 ? ['only bookkeeping: --all shows it'] : []),
  ]
  const lines = [
    `${style(colour, `${sign} ${nameOf(object)}`, process.stdout)}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}`,
    ...shown.map((field) => `    ${formatField(field)}`),
    ...(provider === undefined ? [] : [formatProviderPlan(provider).replaceAll(/^/gm, '    ')]),
  ]
  return `${lines.join('\n').replaceAll(/^/gm, indent)}\n`
}

function formatField({ path, before, after }: FieldChange): string {
  if (before === undefined) return style('green', `${path}: ${show(after)}`, process.stdout)
  if (after === undefined) return style('red', `${path}: ${show(before)} → (removed)`, process.stdout)
  return style('yellow', `${path}: ${show(before)} → ${show(after)}`, process.stdout)
}

/** References by kind and name; text without quotes where it cannot be taken for anything else. */
function show(value: unknown): string {
  if (isReference(value)) return nameOf({ apiVersion: '', ...value })
  return typeof value === 'string' && isPlain(value) ? value : stringifyJson(value)
}

const isPlain = (text: string): boolean => /^[A-Za-z(/][^"\n]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
