// All chosen changes of a file in one text, each behind a switch: the file is transformed once, and a mutant costs a run of tests, nothing else.
// The switch also tells which tests reach it.

/** Set by worker.setup.mjs; a process that was started without it runs the code as it is written. */
const on = (id) => `globalThis.__weftMutant?.(${id})`

/** @param {{ id: number, form: string, start: number, end: number, text: string }[]} mutants of this file */
export function instrument(text, mutants, statements) {
  const sites = sitesOf(mutants, statements)
  let next = 0
  const render = (start, end) => {
    let out = ''
    let at = start
    while (next < sites.length && sites[next].start < end) {
      const site = sites[next++]
      out += text.slice(at, site.start) + switched(site, render(site.start, site.end))
      at = site.end
    }
    return out + text.slice(at, end)
  }
  return render(0, text.length)
}

function switched({ form, mutants }, inner) {
  if (form === 'statement') return mutants.length === 0 ? `{${inner}}` : `{if (!${on(mutants[0].id)}) {${inner}}}`
  if (form === 'member') {
    const [{ id, text }] = mutants
    const [, dots, name] = /^(\??\.)\s*(\w+)$/s.exec(inner.trim())
    return `${dots === '?.' ? '?.' : ''}[${on(id)} ? '${text}' : '${name}']`
  }
  return `(${mutants.map(({ id, text }) => `${on(id)} ? (${text}) : `).join('')}(${inner}))`
}

/**
 * Outer sites first. Statements are put into braces even where they stay: without semicolons, a line that begins with the parenthesis of a switch
 * would be a call of what the line before ends with.
 */
function sitesOf(mutants, statements) {
  const sites = new Map()
  const site = (form, start, end) => {
    const key = `${form === 'statement' ? 's' : form === 'member' ? 'm' : 'e'}${start}-${end}`
    const known = sites.get(key) ?? { form, start, end, mutants: [] }
    sites.set(key, known)
    return known
  }
  for (const { start, end } of statements) site('statement', start, end)
  for (const mutant of mutants) site(mutant.form, mutant.start, mutant.end).mutants.push(mutant)
  const rank = ({ form }) => (form === 'statement' ? 0 : 1)
  return [...sites.values()].sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b))
}
