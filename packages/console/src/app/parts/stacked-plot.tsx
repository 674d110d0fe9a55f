import { type ReactNode, useId } from 'react'

export interface Layer {
  /** Names its colour: `plot-layer-ready`. */
  readonly key: string
  readonly title: string
}

export interface StackedPlotProps {
  readonly title: string
  /** From the bottom up. */
  readonly layers: readonly Layer[]
  /** Oldest first; `values` by the keys of the layers. */
  readonly points: readonly { readonly at: number; readonly values: Readonly<Record<string, number | undefined>> }[]
  /** How far back the plot reaches, in milliseconds. What was not measured stays empty. */
  readonly span: number
}

const WIDTH = 600
const HEIGHT = 120

/** Numbers that add up, one above the other, over time. What it shows now is also said in words. */
export function StackedPlot({ title, layers, points, span }: StackedPlotProps): ReactNode {
  const caption = useId()
  const last = points.at(-1)
  if (last === undefined) return null
  const sums = points.map(({ values }) => layers.reduce((sum, { key }) => sum + (values[key] ?? 0), 0))
  const highest = Math.max(1, ...sums)
  const x = (at: number): number => WIDTH - ((last.at - at) / span) * WIDTH
  const y = (value: number): number => HEIGHT - (value / highest) * (HEIGHT - 6)
  const pieces = unbroken(points)
  return (
    <figure className="stacked-plot" aria-labelledby={caption}>
      <figcaption id={caption}>
        <span className="unseen">{title}: now </span>
        <ul className="legend">
          {layers
            .filter(({ key }) => points.some(({ values }) => (values[key] ?? 0) > 0))
            .map(({ key, title: name }) => (
              <li key={key}>
                <span className={`swatch plot-layer-${key}`} aria-hidden="true" />
                {name} <strong>{(last.values[key] ?? 0).toLocaleString('en')}</strong>
              </li>
            ))}
        </ul>
      </figcaption>
      <div className="plot-frame" aria-hidden="true">
        <span className="plot-high">{highest.toLocaleString('en')}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <line className="plot-base" x1="0" x2={WIDTH} y1={y(highest)} y2={y(highest)} />
          <line className="plot-base" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
          {pieces.flatMap((piece, i) =>
            layers.map(({ key }, at) => {
              const below = layers.slice(0, at)
              const floor = piece.map(({ values }) => below.reduce((sum, each) => sum + (values[each.key] ?? 0), 0))
              if (piece.every(({ values }) => (values[key] ?? 0) === 0)) return null
              const top = piece.map(({ at: when, values }, j) => corner(x(when), y((floor[j] ?? 0) + (values[key] ?? 0))))
              const bottom = piece.map(({ at: when }, j) => corner(x(when), y(floor[j] ?? 0))).reverse()
              return <polygon key={`${key} ${i}`} className={`plot-layer plot-layer-${key}`} points={[...top, ...bottom].join(' ')} />
            }),
          )}
        </svg>
        <p className="plot-times">
          <span>{agoText(span)}</span>
          <span>now</span>
        </p>
      </div>
    </figure>
  )
}

const corner = (x: number, y: number): string => `${x.toFixed(1)},${y.toFixed(1)}`

const agoText = (span: number): string => `${Math.round(span / 60_000)} minutes ago`

/** Nothing is drawn over a time in which nothing was measured. One measurement alone is as wide as a line. */
function unbroken(points: StackedPlotProps['points']): readonly StackedPlotProps['points'][] {
  const steps = points.slice(1).map(({ at }, i) => at - (points[i]?.at ?? at))
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  const pieces: StackedPlotProps['points'][number][][] = []
  points.forEach((point, i) => {
    const isNew = i === 0 || (steps[i - 1] ?? 0) > Math.max(4 * usual, 60_000)
    if (isNew) pieces.push([{ ...point, at: point.at - ALONE_MS }, point])
    else pieces.at(-1)?.push(point)
  })
  return pieces
}

const ALONE_MS = 10_000
