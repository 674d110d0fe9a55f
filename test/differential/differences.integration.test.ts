import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { differencesDocument } from './differences-document.ts'

const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/differences.md')

it('docs/differences.md lists what the comparison allows (WEFT_UPDATE=1 writes it)', async () => {
  if (process.env['WEFT_UPDATE'] !== undefined) await writeFile(page, differencesDocument())
  expect(await readFile(page, 'utf8')).toBe(differencesDocument())
})
