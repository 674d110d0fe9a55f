// Builds the manual: the pages of docs as static HTML with a search that needs no server. See docs/adr.
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { pathOf, readContents } from './contents.mjs'
import { renderMarkdown } from './markdown.mjs'
import { pageHtml } from './page.mjs'

/**
 * Renders all pages, and writes nothing.
 * @param {string} root of the repository
 * @returns {{pages: {path: string, html: string}[], sources: string[], search: object[], images: string[], problems: string[]}}
 */
export function renderManual(root) {
  const { groups, sources, missing } = readContents(root)
  const problems = missing.map((file) => `${file} is not in docs/README.md: name it there, where a reader would look for it`)
  const links = []
  const images = new Set()
  const rendered = sources.flatMap((source) => {
    try {
      const text = readFileSync(join(root, source), 'utf8')
      return [{ source, ...renderMarkdown(text, (href) => leadsTo(href, { source, sources, root, images, links, problems })) }]
    } catch (error) {
      problems.push(`${source} cannot be rendered: ${error.message}`)
      return []
    }
  })
  for (const { from, to, anchor } of links) {
    const target = rendered.find(({ source }) => source === to)
    if (target !== undefined && !target.headings.some(({ id }) => id === anchor))
      problems.push(`${from} links to ${to}#${anchor}: that page has no such heading`)
  }
  const pages = rendered.map(({ source, title, html, headings }) => {
    const path = pathOf(source)
    return { path, html: pageHtml({ title, html, headings, path, up: '../'.repeat(path.split('/').length - 1) }, groups) }
  })
  const search = rendered.flatMap(({ source, title, sections }) =>
    sections.map(({ id, heading, text }, i) => ({
      path: pathOf(source),
      anchor: i === 0 ? '' : id,
      title,
      heading: i === 0 ? '' : heading,
      text,
    })),
  )
  pages.push({ path: '404.html', html: pageHtml({ ...NOT_FOUND, path: '404.html', headings: [], up: '/docs/' }, groups) })
  return { pages, sources, search, images: [...images], problems }
}

const NOT_FOUND = {
  title: 'No such page',
  html: '<h1>No such page</h1>\n<p>The manual has no page at this address. Search for it, or look through the contents.</p>\n',
}

/** A link of a page as a link of the manual. What is only in the repository has no place to lead to. */
function leadsTo(href, { source, sources, root, images, links, problems }) {
  if (/^[a-z]+:/.test(href)) return href
  const [path, anchor] = href.split('#')
  const target = path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path))
  if (/\.(png|svg)$/.test(target)) {
    if (!target.startsWith('docs/') || !existsSync(join(root, target))) problems.push(`${source} shows ${target}, which is not in docs`)
    images.add(target.replace(/^docs\//, ''))
    return relativeTo(source, target.replace(/^docs\//, ''))
  }
  if (!sources.includes(target)) {
    if (!existsSync(join(root, target))) problems.push(`${source} links to ${target}, which does not exist`)
    return undefined
  }
  if (anchor !== undefined) links.push({ from: source, to: target, anchor })
  const here = path === '' ? '' : relativeTo(source, pathOf(target))
  return anchor === undefined ? here : `${here}#${anchor}`
}

const relativeTo = (source, path) => posix.relative(posix.dirname(pathOf(source)), path)

/** Into the folder, whole or not at all. Rejects when a link of it leads nowhere. */
export async function buildManual(root, target, esbuild) {
  const { pages, search, images, problems } = renderManual(root)
  if (problems.length > 0) throw new Error(`the manual has faults:\n  ${problems.join('\n  ')}`)
  const half = `${target}.${process.pid}`
  try {
    for (const { path, html } of pages) {
      await mkdir(dirname(join(half, path)), { recursive: true })
      await writeFile(join(half, path), html)
    }
    await writeFile(join(half, 'search.json'), JSON.stringify(search))
    for (const image of images) await cp(join(root, 'docs', image), join(half, image))
    const app = join(root, 'packages', 'console', 'src', 'app')
    await cp(join(app, 'style', 'weft.svg'), join(half, 'weft.svg'))
    const [scripts, theme] = [
      { manual: join(app, 'manual', 'manual.ts') },
      { theme: join(app, 'manual', 'theme.ts'), manual: join(app, 'manual', 'manual.css') },
    ]
    const options = { outdir: half, bundle: true, minify: true, target: 'es2022', platform: 'browser', logLevel: 'warning' }
    await esbuild.build({ ...options, entryPoints: scripts, format: 'esm' })
    await esbuild.build({ ...options, entryPoints: theme, format: 'iife' })
    await rm(target, { recursive: true, force: true })
    await rename(half, target)
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}
