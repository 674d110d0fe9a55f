import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { providerTemplate } from './provider-template.ts'

/** The files of a tree that a page draws: a folder ends in a slash, what is in it stands two columns further in. */
function filesOf(tree: string): readonly string[] {
  const folders: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
    folders.length = indent.length / 2
    if (!name.endsWith('/')) return [[...folders, name].join('')]
    folders.push(name)
    return []
  })
}

it('the page on writing a provider shows the files that a new one has', async () => {
  const page = await readFile(new URL('../../../../../docs/writing-a-provider.md', import.meta.url), 'utf8')
  const tree = /```\n(my-provider\/\n[\s\S]*?)\n```/.exec(page)?.[1] ?? ''
  const untold = new Set(['README.md', 'tsconfig.json', '.gitignore'])
  const made = [...providerTemplate('my-provider').keys()].filter((file) => !untold.has(file))
  expect(filesOf(tree).toSorted()).toEqual(made.map((file) => `my-provider/${file}`).toSorted())
})
