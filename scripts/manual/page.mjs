// What surrounds every page. No inline script and no inline style: the console serves it under its Content-Security-Policy.
import { escapeHtml } from './markdown.mjs'

/**
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.html
 * @param {string} page.up from here to the folder of the manual: '' or '../'
 * @param {string} page.path of the page below that folder
 * @param {{id: string, depth: number, text: string}[]} page.headings
 * @param {{title: string, pages: {path: string, label: string}[]}[]} groups
 */
export function pageHtml({ title, html, up, path, headings }, groups) {
  const order = groups.flatMap(({ pages }) => pages)
  const at = order.findIndex((each) => each.path === path)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)} · Weft</title>
    <link rel="icon" type="image/svg+xml" href="${up}weft.svg" />
    <link rel="stylesheet" href="${up}manual.css" />
    <script src="${up}theme.js"></script>
    <script type="module" src="${up}manual.js"></script>
  </head>
  <body data-up="${up}">
    <a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="${up}index.html"><img src="${up}weft.svg" alt="" width="22" height="22" /> Weft manual</a>
      <button type="button" class="search-button" id="search" aria-keyshortcuts="/" hidden>Search <kbd>/</kbd></button>
      <button type="button" class="quiet" id="theme" hidden>Colours</button>
    </header>
    <div class="columns">
      <details class="contents" open>
        <summary>Contents</summary>
        <nav aria-label="Contents">
${groups.map((group) => navigationOf(group, { up, path })).join('')}        </nav>
      </details>
      <main id="main" tabindex="-1">
        <article>
${html}        </article>
${at === -1 ? '' : neighbours(order[at - 1], order[at + 1], up)}      </main>
${onThisPage(headings)}    </div>
  </body>
</html>
`
}

const navigationOf = ({ title, pages }, { up, path }) => `          <p>${escapeHtml(title)}</p>
          <ul>
${pages
  .map(
    (page) =>
      `            <li><a href="${up}${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${escapeHtml(page.label)}</a></li>\n`,
  )
  .join('')}          </ul>
`

function onThisPage(headings) {
  const shown = headings.filter(({ depth }) => depth === 2)
  if (shown.length < 2) return ''
  const items = shown.map(({ id, text }) => `          <li><a href="#${id}">${escapeHtml(text)}</a></li>\n`).join('')
  return `      <nav class="on-this-page" aria-label="On this page">\n        <p>On this page</p>\n        <ul>\n${items}        </ul>\n      </nav>\n`
}

function neighbours(before, after, up) {
  const link = (page, words) => (page === undefined ? '' : `<a href="${up}${page.path}">${words}: ${escapeHtml(page.label)}</a>`)
  return `        <nav class="neighbours" aria-label="Next to this page">${link(before, 'Before')}${link(after, 'Next')}</nav>\n`
}
