import { Component, type ReactNode, Suspense } from 'react'
import { Loading, Notice } from './notice.tsx'

export interface FallibleProps {
  /** `the graph` */
  readonly what: string
  readonly children: ReactNode
}

/**
 * A part that is loaded when it is needed. When it cannot be (the server is gone, or was upgraded and has other files now), or when it
 * fails, the rest of the page stays; reloading is the only way to try again, because a module that failed to load stays so.
 */
export class Fallible extends Component<FallibleProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { what, children } = this.props
    if (!this.state.failed) return <Suspense fallback={<Loading what={what} />}>{children}</Suspense>
    return (
      <Notice tone="problem">
        Weft cannot show {what}. The server may be gone, or newer than this page.{' '}
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </Notice>
    )
  }
}
