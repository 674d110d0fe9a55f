import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { foldGutter, foldKeymap } from '@codemirror/language'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type ReactNode, useEffect, useRef } from 'react'
import { highlight } from './highlight.ts'

export interface CodeProps {
  readonly label: string
  readonly text: string
  /** Absent: it can only be read. */
  readonly onChange?: (text: string) => void
  /** Marks what differs from this. */
  readonly original?: string
  /** A line to point at, from 1. */
  readonly marked?: number | undefined
}

/** YAML in CodeMirror. Style elements that it makes carry the nonce of the Content-Security-Policy. */
export function Code({ label, text, onChange, original, marked }: CodeProps): ReactNode {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  const editable = onChange !== undefined
  useEffect(() => {
    if (parent.current === null) return
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: text, extensions: extensions(label, editable, original, (now) => changed.current?.(now)) }),
    })
    view.current = editor
    return () => editor.destroy()
    // The text is kept up to date below; a new editor would lose the place.
  }, [label, editable, original])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => view.current?.dispatch({ effects: markLine.of(marked) }), [marked, label, editable, original])
  return <div className="code" ref={parent} />
}

const markLine = StateEffect.define<number | undefined>()

/** The line that something is wrong with; it stays where it is until another is told. */
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, state, changes }) => {
    const told = effects.find((effect) => effect.is(markLine))
    if (told === undefined) return marks.map(changes)
    const line = told.value as number | undefined
    if (line === undefined || line < 1 || line > state.doc.lines) return Decoration.none
    return Decoration.set([Decoration.line({ class: 'cm-wrongLine' }).range(state.doc.line(line).from)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function extensions(label: string, editable: boolean, original: string | undefined, onChange: (text: string) => void): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  return [
    ...(nonce === undefined || nonce === '' ? [] : [EditorView.cspNonce.of(nonce)]),
    lineNumbers(),
    foldGutter(),
    drawSelection(),
    yaml(),
    highlight,
    markedLine,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', ...(!editable && { 'aria-readonly': 'true' }) }),
    EditorView.editable.of(editable),
    EditorState.readOnly.of(!editable),
    // Escape, then Tab leaves the editor: a keyboard must not be caught in it.
    keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...(editable ? [indentWithTab] : [])]),
    ...(editable ? [history(), EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString()))] : []),
    ...(original === undefined ? [] : [unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })]),
  ]
}
