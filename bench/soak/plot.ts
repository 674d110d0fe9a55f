/** One line of a plot: a value for each round. */
export interface Series {
  readonly label: string
  readonly unit: string
  readonly values: readonly number[]
}

export interface PlotOptions {
  readonly title: string
  /** Rounds at which the control plane was started anew. */
  readonly restarts: readonly number[]
}

const [WIDTH, HEIGHT, GAP] = [900, 130, 46]
const [LEFT, TOP] = [70, 50]

/** Small plots below one another, each from zero, so that what grows is seen to grow; a dashed line for each restart. An SVG file. */
export function plot(series: readonly Series[], { title, restarts }: PlotOptions): string {
  const height = TOP + series.length * (HEIGHT + GAP)
  const rounds = Math.max(...series.map(({ values }) => values.length))
  const x = (round: number): number => LEFT + (rounds <= 1 ? 0 : (round * WIDTH) / (rounds - 1))
  const panels = series.map(({ label, unit, values }, i) => {
    const top = TOP + i * (HEIGHT + GAP)
    const most = Math.max(...values, Number.MIN_VALUE)
    const y = (value: number): number => top + HEIGHT - (value * HEIGHT) / most
    const points = values.map((value, round) => `${x(round).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return [
      `<text x="${LEFT}" y="${top - 8}" font-weight="bold">${escaped(label)}</text>`,
      `<rect x="${LEFT}" y="${top}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#bbb"/>`,
      ...restarts.map(
        (round) => `<line x1="${x(round)}" x2="${x(round)}" y1="${top}" y2="${top + HEIGHT}" stroke="#ccc" stroke-dasharray="3 3"/>`,
      ),
      `<polyline points="${points}" fill="none" stroke="#2563eb" stroke-width="1.5"/>`,
      `<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end">${escaped(`${short(most)} ${unit}`)}</text>`,
      `<text x="${LEFT - 6}" y="${top + HEIGHT}" text-anchor="end">0</text>`,
    ].join('\n')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 20}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${LEFT}" y="20" font-size="15">${escaped(title)}</text>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
