import type { TraceNode, TraceRef } from '@weft/composition'
import { formatAge, formatTable } from '../../output/index.ts'
import { style } from '../../report.ts'

export interface TreeOptions {
  readonly owners: readonly TraceRef[]
  readonly wide: boolean
  /** What else is to be known, a sentence each. */
  readonly notes?: readonly string[]
  /** Of the terminal, in characters; none elsewhere, where everything is printed. */
  readonly columns?: number | undefined
}

const EXTERNAL_NAME = 'EXTERNAL-NAME'

/** Room for a word of STATUS, which comes last and may be long. */
const LEAST_STATUS = 16

/** The reason first, then the tree. */
export function formatTree(root: TraceNode, { owners, wide, notes = [], columns }: TreeOptions): string {
  const header = ['NAME', 'READY', 'SYNCED', EXTERNAL_NAME, ...(wide ? ['PHASE', 'MADE-FROM', 'SECRET', 'AGE'] : []), 'STATUS']
  const told = verdict(root)
  const rows = [header, ...rowsOf(root, '', '', { wide, told })]
  const partOf = owners.length === 0 ? '' : `It is part of ${owners.map(describe).join(', which is part of ')}.\n`
  const table = wide || columns === undefined ? formatTable(rows) : narrowTable(rows, columns)
  return `${told}\n${notes.map((note) => `${note}\n`).join('')}${partOf}\n${table}`
}

/** A tree whose lines are broken is none. Mostly the external name is the name of its object; where it is not, a wider terminal or -o wide shows it. */
function narrowTable(rows: readonly (readonly string[])[], columns: number): string {
  const withoutStatus = formatTable(rows.map((row) => [...row.slice(0, -1), ''])).split('\n')
  if (withoutStatus.every((line) => line.length + LEAST_STATUS <= columns)) return formatTable(rows)
  const at = rows[0]?.indexOf(EXTERNAL_NAME) ?? -1
  const isLoss = rows.slice(1).some((row) => row[at] !== '')
  const note = isLoss ? `… a wider terminal shows ${EXTERNAL_NAME}, and so does -o wide\n` : ''
  return `${formatTable(rows.map((row) => row.filter((_, column) => column !== at)))}${note}`
}

function verdict(root: TraceNode): string {
  const self = describe(root.ref)
  if (root.why === undefined) return style('green', `${self} is ready.`, process.stdout)
  const reason = root.why.startsWith(`${self} `) ? root.why : `${self} is not ready, because ${root.why}`
  return style(
    root.state === 'failed' || root.state === 'missing' ? 'red' : 'yellow',
    /[.?!…]$/.test(reason) ? reason : `${reason}.`,
    process.stdout,
  )
}

/** What the rows of a tree share; `told` is what stands above them. */
interface Rows {
  readonly wide: boolean
  readonly told: string
}

function rowsOf(node: TraceNode, lead: string, indent: string, shared: Rows): readonly string[][] {
  const { ref, ready, synced, children } = node
  const cells = [
    `${lead}${ref.kind}/${ref.name}${ref.namespace === undefined ? '' : ` (${ref.namespace})`}`,
    ready?.status ?? '-',
    synced?.status ?? '-',
    node.externalName ?? '',
    ...(shared.wide
      ? [node.bindingPhase ?? '', node.madeFrom ?? '', secretOf(node), node.createdAt === undefined ? '' : formatAge(node.createdAt)]
      : []),
    statusOf(node, shared.told),
  ]
  const below = children.flatMap((child, i) => {
    const last = i === children.length - 1
    return rowsOf(child, `${indent}${last ? '└─ ' : '├─ '}`, `${indent}${last ? '   ' : '│  '}`, shared)
  })
  return [cells, ...below]
}

/** Its own words; what was said above, or stands at a child, is not repeated. */
function statusOf({ state, why, ready, synced, children }: TraceNode, told: string): string {
  if (state === 'ready') return ready?.reason ?? 'Ready'
  if (state === 'missing') return 'does not exist'
  if (state === 'hidden') return 'not visible to you'
  if (state === 'failed') {
    const text = oneLine(synced?.message ?? '')
    const isRepeated = oneLine(told).includes(text) || children.some((child) => text.includes(oneLine(child.synced?.message ?? '\n')))
    return text === '' || isRepeated ? (synced?.reason ?? 'not synced') : text
  }
  if (state === 'deleting') return 'being deleted'
  const blamed = children.some((child) => child.state !== 'ready')
  const text = oneLine(ready?.message ?? '')
  if (blamed || (text !== '' && oneLine(told).includes(text))) return ready?.reason ?? 'Waiting'
  return text === '' ? (ready?.reason ?? oneLine(why ?? '')) : text
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
const secretOf = ({ connectionSecret: secret }: TraceNode): string =>
  secret === undefined ? '' : [secret.namespace, secret.name].filter(Boolean).join('/')

const describe = ({ kind, namespace, name }: TraceRef): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

const COLOURS: Readonly<Record<TraceNode['state'], string>> = {
  ready: 'palegreen',
  waiting: 'khaki',
  failed: 'lightcoral',
  deleting: 'lightgrey',
  missing: 'white',
  hidden: 'gainsboro',
}

/** For Graphviz. */
export function formatDot(root: TraceNode): string {
  const lines: string[] = []
  const visit = (node: TraceNode, id: string): void => {
    const { ref, externalName, state, children } = node
    const label = [
      ref.kind,
      ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`,
      ...(externalName === undefined ? [] : [externalName]),
    ]
    lines.push(`  ${id} [label=${quote(label.join('\n'))}, fillcolor=${COLOURS[state]}];`)
    children.forEach((child, i) => {
      const childId = `${id}_${i}`
      visit(child, childId)
      lines.push(`  ${id} -> ${childId};`)
    })
  }
  visit(root, 'n')
  return `digraph trace {\n  rankdir=LR;\n  node [shape=box, style="rounded,filled", fontname="sans-serif"];\n${lines.join('\n')}\n}\n`
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
