import { type ReactNode, useId } from 'react'

export interface PlotProps {
  readonly title: string
  readonly unit: string
  /** Oldest first. */
  readonly points: readonly { readonly at: number; readonly value: number }[]
}

const WIDTH = 320
const HEIGHT = 72

/** How far back a plot reaches, in milliseconds: as far as there is something to show, in round numbers, and an hour at most. */
export function spanOf(points: readonly { readonly at: number }[]): number {
  const known = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  return [10, 30, 60].map((minutes) => minutes * 60_000).find((span) => span >= known) ?? HOUR
}

/** A line of the last hour. What it shows is also said in words, for those who cannot see it. */
export function Plot({ title, unit, points }: PlotProps): ReactNode {
  const caption = useId()
  const last = points.at(-1)
  const highest = points.reduce((most, { value }) => Math.max(most, value), 0)
  const words =
    last === undefined
      ? 'No measurements yet.'
      : `Now ${round(last.value)} ${unit}, at most ${round(highest)} in the last ${spanOf(points) / 60_000} minutes.`
  return (
    <figure className="plot" aria-labelledby={caption}>
      <figcaption id={caption}>
        <strong>{title}</strong> <span className="muted">{words}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line className="plot-base" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {last !== undefined && (
          <path className="plot-area" d={`${linePath(points, highest)} V${HEIGHT} H${xOf(points[0]?.at ?? 0, points)} Z`} />
        )}
        {last !== undefined && <path className="plot-line" d={linePath(points, highest)} />}
      </svg>
    </figure>
  )
}

const HOUR = 3_600_000

const xOf = (at: number, points: PlotProps['points']): number => WIDTH - (((points.at(-1)?.at ?? at) - at) / spanOf(points)) * WIDTH

const linePath = (points: PlotProps['points'], highest: number): string =>
  points
    .map(
      ({ at, value }, i) =>
        `${i === 0 ? 'M' : 'L'}${xOf(at, points).toFixed(1)} ${(HEIGHT - 2 - (value / (highest || 1)) * (HEIGHT - 8)).toFixed(1)}`,
    )
    .join(' ')

const round = (value: number): string => (value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1))
