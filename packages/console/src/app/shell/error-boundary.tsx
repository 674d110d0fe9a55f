import { Component, type ReactNode } from 'react'
import { Notice } from '../parts/notice.tsx'
import { sentenceOf } from '../session/api.ts'

interface Props {
  /** Another page gets another chance. */
  readonly page: string
  readonly children: ReactNode
}

interface State {
  readonly failed: { readonly page: string; readonly error: unknown } | undefined
}

/** Keeps a fault of one page from taking the others along. After an upgrade of the server, parts of the old app are gone: reloading helps. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { page: '', error } }
  }

  static getDerivedStateFromProps({ page }: Props, { failed }: State): State | null {
    if (failed === undefined) return null
    if (failed.page === '') return { failed: { ...failed, page } }
    return failed.page === page ? null : { failed: undefined }
  }

  override render(): ReactNode {
    const { failed } = this.state
    if (failed === undefined) return this.props.children
    return (
      <Notice tone="problem">
        <p>This page cannot be shown: {sentenceOf(failed.error)}</p>
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </Notice>
    )
  }
}
