import MiniSearch from 'minisearch'

/** What lies between two headings of a page; search.json has all of them. */
export interface Section {
  /** Of the page, below the folder of the manual. */
  readonly path: string
  /** Empty for what stands before the first heading after the title. */
  readonly anchor: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export interface Found extends Section {
  /** Some of the text around the first word that was found. */
  readonly excerpt: string
}

const MOST = 12
const AROUND = 70

/** Finds sections by words as they are typed: the last may be unfinished, and long ones may have a typing error. */
export function createSectionSearch(sections: readonly Section[]): (words: string) => readonly Found[] {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ['title', 'heading', 'text'],
    searchOptions: {
      boost: { title: 4, heading: 3 },
      prefix: true,
      combineWith: 'AND',
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return (words) =>
    index
      .search(words)
      .slice(0, MOST)
      .flatMap(({ id, terms }) => {
        const section = sections[Number(id)]
        return section === undefined ? [] : [{ ...section, excerpt: excerptOf(section.text, terms) }]
      })
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).filter((found) => found !== -1), text.length)
  const from = at === text.length ? 0 : Math.max(0, at - AROUND)
  const to = Math.min(text.length, from + 3 * AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
