import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

/** What the default style's colours mean in YAML. */
const MEANINGS: Readonly<Record<string, string>> = {
  '#00c': 'key',
  '#a11': 'string',
  '#e40': 'string',
  '#219': 'atom',
  '#164': 'atom',
  '#708': 'atom',
  '#940': 'comment',
  '#f00': 'invalid',
}

/** The default style with colours from the page's own properties, so that they follow the theme. */
export const highlight: Extension = syntaxHighlighting(
  HighlightStyle.define(
    defaultHighlightStyle.specs.map(({ color, ...spec }) =>
      typeof color === 'string' ? { ...spec, color: `var(--token-${MEANINGS[color] ?? 'plain'})` } : { ...spec },
    ),
  ),
)
