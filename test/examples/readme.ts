/** One block of commands in the README of an example. */
export interface Step {
  /** Where the block begins, for messages. */
  readonly line: number
  readonly script: string
  /** `background`: goes on until the example is over, like `weft up` in a terminal of its own. `fails`: must not succeed. */
  readonly kind: 'run' | 'fails' | 'background'
  /** What the README shows as its output. */
  readonly expected?: string
}

/** Commands that go on until somebody stops them. */
const BACKGROUND = /^((npx )?weft (up|simulate)|npm start)\b/
const FENCE = /^(\s*)(`{3,})(.*)$/

/**
 * The steps of a README: every block fenced as `sh`, in order, each with the `text` block that follows it, if only blank lines or one paragraph
 * are between them. Other blocks are for the reader alone. Throws where a fence is not closed or an output belongs to no commands.
 */
export function readSteps(markdown: string): readonly Step[] {
  const steps: Step[] = []
  for (const { info, text, line } of blocksOf(markdown)) {
    const [language, ...flags] = info.split(/\s+/)
    const last = steps.at(-1)
    if (language === 'sh') steps.push({ line, script: text, kind: kindOf(text, flags, line) })
    else if (language !== 'text') continue
    else if (last === undefined || last.expected !== undefined)
      throw new Error(`line ${line}: this output follows no commands; fence what is no output in another language`)
    else steps[steps.length - 1] = { ...last, expected: text }
  }
  return steps
}

function kindOf(script: string, flags: readonly string[], line: number): Step['kind'] {
  const unknown = flags.find((flag) => flag !== 'fails')
  if (unknown !== undefined) throw new Error(`line ${line}: "sh ${unknown}" means nothing; there is "sh" and "sh fails"`)
  if (flags.length > 0) return 'fails'
  if (!BACKGROUND.test(script)) return 'run'
  if (script.trim().includes('\n')) throw new Error(`line ${line}: what runs in a terminal of its own needs a block of its own`)
  return 'background'
}

function blocksOf(markdown: string): readonly { info: string; text: string; line: number }[] {
  const blocks: { info: string; text: string; line: number }[] = []
  let open: { fence: string; indent: string; info: string; line: number; lines: string[] } | undefined
  for (const [i, line] of markdown.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (fence !== '') open = { fence, indent, info: info.trim(), line: i + 1, lines: [] }
    } else if (fence.length >= open.fence.length && info.trim() === '') {
      blocks.push({ info: open.info, text: `${open.lines.join('\n')}\n`, line: open.line })
      open = undefined
    } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block is not closed`)
  return blocks
}
