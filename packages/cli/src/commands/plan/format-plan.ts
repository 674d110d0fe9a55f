import { stringifyJson } from '@weft/api'
import { type FieldChange, fieldChanges, type Plan, type PlannedChange } from '@weft/plan'
import { style } from '../../report.ts'
import { formatProviderPlan } from './format-provider-plan.ts'

type Colour = Parameters<typeof style>[0]

const SIGNS: Readonly<Record<PlannedChange['action'], readonly [sign: string, colour: Colour]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  delete: ['-', 'red'],
  keep: ['=', 'cyan'],
}

/** For people: each object with a sign, what hangs below it indented, and a count at the end. */
export function formatPlan({ changes }: Plan): string {
  if (changes.length === 0) return 'Nothing would change.\n'
  const count = (action: PlannedChange['action']): number => changes.filter((change) => change.action === action).length
  const kept = count('keep')
  const summary = `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete${kept === 0 ? '' : `, ${kept} kept`}`
  return `${changes.map(formatChange).join('')}\nPlan: ${summary}.\n`
}

function formatChange(change: PlannedChange): string {
  const { action, object, depth, why } = change
  const [sign, colour] = SIGNS[action]
  const indent = '  '.repeat(depth)
  const name = `${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`
  const head = `${indent}${style(colour, `${sign} ${name}`, process.stdout)}${why === undefined ? '' : `  (${why})`}\n`
  return (
    head +
    fieldsOf(change)
      .map((field) => `${indent}    ${formatField(field)}\n`)
      .join('') +
    (change.provider === undefined ? '' : formatProviderPlan(change.provider).replaceAll(/^/gm, `${indent}    `).concat('\n'))
  )
}

/** Of something new, every field; what its heading says already is left out. */
function fieldsOf({ action, fields = [], after }: PlannedChange): readonly FieldChange[] {
  if (action === 'update') return fields
  if (action !== 'create') return []
  return fieldChanges({}, after)
    .flatMap((change) => leavesOf(change))
    .filter(({ path }) => !SAID.test(path))
}

const SAID = /^(apiVersion|kind|metadata\.(name|namespace|ownerReferences.*))$/

/** A new object is one change; its fields are wanted one by one. */
function leavesOf(change: FieldChange): readonly FieldChange[] {
  const { path, after } = change
  if (typeof after !== 'object' || after === null || Object.keys(after).length === 0) return [change]
  const empty = Array.isArray(after) ? [] : {}
  const below = fieldChanges(empty, after)
  return below.flatMap((each) => leavesOf({ ...each, path: each.path.startsWith('[') ? path + each.path : `${path}.${each.path}` }))
}

function formatField({ path, before, after }: FieldChange): string {
  if (before === undefined) return style('green', `${path}: ${show(after)}`, process.stdout)
  if (after === undefined) return style('red', `${path}: ${show(before)} → (removed)`, process.stdout)
  return style('yellow', `${path}: ${show(before)} → ${show(after)}`, process.stdout)
}

/** Text without quotes where it cannot be taken for anything else. */
const show = (value: unknown): string => (typeof value === 'string' && isPlain(value) ? value : stringifyJson(value))

const isPlain = (text: string): boolean => /^[A-Za-z(/][^"\n]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
