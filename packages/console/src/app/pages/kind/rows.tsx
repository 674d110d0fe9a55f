import { type ReactNode, useRef } from 'react'
import type { KindInfo, Role } from '../../../kinds/kind-info.ts'
import type { PrinterColumn } from '../../objects/printer-columns.ts'
import { whyNot } from '../../../world/state.ts'
import { MiddleEllipsis } from '../../parts/middle-ellipsis.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useWorld } from '../../session/console.tsx'
import type { Row } from './object-list.ts'
import { useReasons } from './use-reasons.ts'
import { MANY_ROWS, useVisibleRows } from './visible-rows.ts'

export interface RowsProps {
  readonly kind: KindInfo
  readonly role: Role | undefined
  readonly rows: readonly Row[]
  readonly columns: readonly PrinterColumn[]
  readonly sort: string
  readonly onSort: (sort: string) => void
  /** By uid. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** A table of objects; of a long one only what is seen is drawn. */
export function Rows({ kind, role, rows, columns, sort, onSort, chosen, onChoose }: RowsProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const { from, to, above, below } = useVisibleRows(box, rows.length)
  const isMany = rows.length > MANY_ROWS
  const hasState = role !== 'class' && role !== 'composition'
  const width = columns.length + (hasState ? 5 : 4)
  useReasons(rows.slice(from, to))
  const areAllChosen = rows.every(({ object }) => chosen.has(object.metadata.uid ?? ''))
  return (
    <div
      className={isMany ? 'scroll many' : 'scroll'}
      ref={box}
      {...(isMany && { tabIndex: 0, role: 'group', 'aria-label': `${kind.kind} objects, to scroll` })}
    >
      <table className="objects" aria-rowcount={isMany ? rows.length + 1 : undefined}>
        <thead>
          <tr>
            <td>
              <input
                type="checkbox"
                aria-label="Select all rows"
                checked={areAllChosen}
                onChange={() => onChoose(new Set(areAllChosen ? [] : rows.map(({ object }) => object.metadata.uid ?? '')))}
              />
            </td>
            <Heading column="name" title="Name" sort={sort} onSort={onSort} />
            {hasState && <Heading column="state" title="State" sort={sort} onSort={onSort} />}
            {columns.map(({ name }) => (
              <Heading key={name} column={name.toLowerCase()} title={name} sort={sort} onSort={onSort} />
            ))}
            <th scope="col">Why</th>
            <Heading column="created" title="Created" sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} width={width} />}
          {rows.slice(from, to).map((row, i) => (
            <ObjectRow
              key={row.object.metadata.uid}
              kind={kind}
              row={row}
              columns={columns}
              hasState={hasState}
              index={isMany ? from + i + 2 : undefined}
              isChosen={chosen.has(row.object.metadata.uid ?? '')}
              onChoose={() => onChoose(toggled(chosen, row.object.metadata.uid ?? ''))}
            />
          ))}
          {below > 0 && <Gap height={below} width={width} />}
        </tbody>
      </table>
    </div>
  )
}

function toggled(chosen: ReadonlySet<string>, uid: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(uid)) next.add(uid)
  return next
}

const Gap = ({ height, width }: { readonly height: number; readonly width: number }): ReactNode => (
  <tr aria-hidden="true">
    <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
  </tr>
)

interface ObjectRowProps {
  readonly kind: KindInfo
  readonly row: Row
  readonly columns: readonly PrinterColumn[]
  readonly hasState: boolean
  readonly index: number | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function ObjectRow({ kind, row: { object, name, state }, columns, hasState, index, isChosen, onChoose }: ObjectRowProps): ReactNode {
  const world = useWorld()
  const why = state === undefined || state === 'ready' ? '' : whyNot(world, object)
  return (
    <tr aria-rowindex={index}>
      <td>
        <input type="checkbox" aria-label={`Choose ${name}`} checked={isChosen} onChange={onChoose} />
      </td>
      <th scope="row">
        <Link to={routeTo(kind, object.metadata.namespace, object.metadata.name ?? '')} aria-label={name}>
          {/* Of many, a row has one line. */}
          {index === undefined ? name : <MiddleEllipsis text={name} />}
        </Link>
      </th>
      {hasState && (
        <td>
          <StateBadge state={state} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.name} className="column" title={column.valueOf(object)}>
          <MiddleEllipsis text={column.valueOf(object)} />
        </td>
      ))}
      <td className="why" title={why === '' ? undefined : why}>
        <span>{why}</span>
      </td>
      <td>
        <TimeAgo at={object.metadata.creationTimestamp} />
      </td>
    </tr>
  )
}

interface HeadingProps {
  readonly column: string
  readonly title: string
  readonly sort: string
  readonly onSort: (sort: string) => void
}

/** Sorts by its column; pressed again, the other way round. */
function Heading({ column, title, sort, onSort }: HeadingProps): ReactNode {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(direction === 'ascending' ? `-${column}` : column)}>
        {title}
        <span aria-hidden="true">{direction === 'ascending' ? ' ▲' : direction === 'descending' ? ' ▼' : ''}</span>
      </button>
    </th>
  )
}
