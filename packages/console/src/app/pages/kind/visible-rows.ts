import { type RefObject, useEffect, useState } from 'react'

export interface VisibleRows {
  readonly from: number
  readonly to: number
  /** Heights of what is not drawn, above and below. */
  readonly above: number
  readonly below: number
}

/** More than this are drawn only where they are seen. */
export const MANY_ROWS = 200
/** As the style sheet has it: rows of long lists have one line. */
export const ROW_HEIGHT = 34
/** Drawn beyond what is seen, so that scrolling shows no holes. */
const SPARE = 20

export function rowsAt(total: number, scrolled: number, height: number): VisibleRows {
  if (total <= MANY_ROWS) return { from: 0, to: total, above: 0, below: 0 }
  const first = Math.floor(scrolled / ROW_HEIGHT)
  const from = Math.max(0, Math.min(first - SPARE, total - 1))
  const to = Math.min(total, first + Math.ceil(height / ROW_HEIGHT) + SPARE)
  return { from, to, above: from * ROW_HEIGHT, below: (total - to) * ROW_HEIGHT }
}

/** Which rows of a long list are to be drawn, as its box is scrolled. */
export function useVisibleRows(box: RefObject<HTMLElement | null>, total: number): VisibleRows {
  const [seen, setSeen] = useState({ scrolled: 0, height: 800 })
  useEffect(() => {
    const element = box.current
    if (element === null || total <= MANY_ROWS) return
    const look = (): void => setSeen({ scrolled: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box, total])
  return rowsAt(total, seen.scrolled, seen.height)
}
