// One page: from Markdown to HTML, its headings, and what of it can be found by searching.
import { Marked } from 'marked'

/**
 * @param {string} text
 * @param {(href: string) => string | undefined} resolve where a link of the page leads in the manual; undefined leaves its words without a link
 * @returns {{title: string, html: string, headings: {depth: number, id: string, text: string}[], sections: {id: string, heading: string, text: string}[]}}
 */
export function renderMarkdown(text, resolve) {
  const marked = new Marked({ gfm: true })
  const headings = []
  const ids = new Map()
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const words = plainText(tokens)
        const id = uniqueId(anchorOf(words), ids)
        headings.push({ depth, id, text: words })
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(words)}”">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const to = resolve(href)
        return to === undefined ? words : `<a href="${escapeHtml(to)}"${/^https?:/.test(to) ? ' rel="noopener"' : ''}>${words}</a>`
      },
      image({ href, text: words }) {
        return `<img src="${escapeHtml(resolve(href) ?? '')}" alt="${escapeHtml(words)}" loading="lazy" />`
      },
      code({ text: code, lang = '' }) {
        return `<pre data-language="${escapeHtml(lang.split(' ')[0])}"><code>${escapeHtml(code)}</code></pre>\n`
      },
      table(token) {
        return `<div class="wide">${Object.getPrototypeOf(this).table.call(this, token)}</div>\n`
      },
      // Comments are for those who edit the page; the rest are words such as <file>. No HTML of a page gets through, so that none can break the security policy.
      html({ text: raw }) {
        return /^\s*<!--[\s\S]*-->\s*$/.test(raw) ? '' : escapeHtml(raw)
      },
    },
  })
  const tokens = marked.lexer(text)
  const html = marked.parser(tokens)
  return { title: headings.find(({ depth }) => depth === 1)?.text ?? '', html, headings, sections: sectionsOf(tokens, headings) }
}

/** From a heading to the next. The one of the title has all that stands before the first of the others. */
function sectionsOf(tokens, headings) {
  const sections = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { id, text } = headings[sections.length]
      sections.push({ id, heading: text, text: '' })
    } else if (sections.length > 0) sections.at(-1).text += ` ${plainText([token])}`
  }
  return sections.map(({ text, ...section }) => ({ ...section, text: text.replaceAll(/\s+/g, ' ').trim() }))
}

/** The words of tokens, without marks. */
function plainText(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'html') return token.text.includes('<!--') ? '' : token.text
      if (token.type === 'table')
        return [token.header, ...token.rows]
          .flat()
          .map(({ tokens: cell }) => plainText(cell))
          .join(' ')
      if (token.type === 'list') return token.items.map(({ tokens: item }) => plainText(item)).join(' ')
      return token.tokens === undefined ? (token.text ?? ' ') : plainText(token.tokens)
    })
    .join('')
}

/** As the pages of code hosts make them, so that a link works in both: lower case, no punctuation, dashes for blanks. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

function uniqueId(id, taken) {
  const times = taken.get(id) ?? 0
  taken.set(id, times + 1)
  return times === 0 ? id : `${id}-${times}`
}

export const escapeHtml = (text) => text.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])
