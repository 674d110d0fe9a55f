import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { renderManual } from '../../scripts/manual/build-manual.mjs'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** A repository with these pages. */
async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'weft-pages-'))
  folders.push(root)
  const all = { 'README.md': '# Weft\n', 'docs/README.md': '# Manual\n\n## Start\n\n- [First](../README.md)\n- [One](one.md)\n', ...files }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

describe('the manual', () => {
  const { pages, problems, search } = renderManual(fileURLToPath(new URL('../../', import.meta.url)))

  it('has every page for users, and every link in it leads somewhere', () => {
    expect(problems).toEqual([])
    expect(pages.length).toBeGreaterThan(30)
    expect(search.length).toBeGreaterThan(300)
  })

  it('keeps to the security policy of the console', () => {
    for (const { html } of pages) {
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle="|\son\w+="|src="(https?:|data:)/)
    }
  })

  it('finds what is said in its pages', () => {
    expect(search.filter(({ text }) => text.includes('belongs to another project')).map(({ path, anchor }) => [path, anchor])).toEqual([
      ['install.html', 'npm'],
    ])
  })

  it.each([
    {
      reason: 'a page that the contents do not name',
      files: { 'docs/one.md': '# One', 'docs/two.md': '# Two' },
      says: /docs\/two\.md is not in/,
    },
    {
      reason: 'a page that is not there',
      files: { 'docs/one.md': '# One\n\n[two](two.md)' },
      says: /one\.md links to docs\/two\.md, which does not exist/,
    },
    {
      reason: 'a heading that is not there',
      files: { 'docs/one.md': '# One\n\n[up](../README.md#ten)' },
      says: /one\.md links to README\.md#ten/,
    },
    {
      reason: 'a heading of the same page that is not there',
      files: { 'docs/one.md': '# One\n\n[up](#ten)' },
      says: /one\.md links to docs\/one\.md#ten/,
    },
    { reason: 'a picture that is not there', files: { 'docs/one.md': '# One\n\n![it](it.png)' }, says: /one\.md shows docs\/it\.png/ },
    { reason: 'a page of the contents that is not there', files: {}, says: /docs\/one\.md cannot be rendered/ },
  ])('refuses $reason', async ({ files, says }) => {
    expect(renderManual(await repository(files)).problems).toEqual([expect.stringMatching(says)])
  })

  it('leaves nothing of HTML in a page but its words, and no link to what is only in the repository', async () => {
    const one =
      '# One\n\n<!-- for editors -->\n\nTake <file> & [a test](../test/a.test.ts), or [first](../README.md).\n\n<script>alert(1)</script>\n'
    const { html = '' } = renderManual(await repository({ 'docs/one.md': one })).pages.find(({ path }) => path === 'one.html') ?? {}
    const article = /<article>([\s\S]*)<\/article>/.exec(html)?.[1] ?? ''
    expect(article).toContain('Take &lt;file&gt; &amp; a test, or <a href="first-steps.html">first</a>.')
    expect(article).not.toMatch(/<script|editors/)
  })
})
