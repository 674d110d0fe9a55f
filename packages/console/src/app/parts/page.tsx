import { type ReactNode, useEffect, useRef } from 'react'

export interface PageProps {
  /** Of the document, and read out when the page changes. */
  readonly title: string
  /** Above the heading: what kind of thing this is. */
  readonly over?: ReactNode
  readonly heading?: ReactNode
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A page: names the document, and takes the focus when it is navigated to, so that a keyboard starts at its beginning. */
export function Page({ title, over, heading = title, aside, children }: PageProps): ReactNode {
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Weft`
    if (navigated) top.current?.focus({ preventScroll: true })
    navigated = true
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          {over !== undefined && <p className="over">{over}</p>}
          <h1 ref={top} tabIndex={-1}>
            {heading}
          </h1>
        </div>
        {aside}
      </header>
      {children}
    </>
  )
}

/** The first page leaves the focus where the browser puts it. */
let navigated = false
