import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect } from 'vitest'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The first page of the manual: a class, a claim, a query, and all gone again. `weft` runs the command and answers what it printed. */
export async function satisfyClaim(weft: (...args: string[]) => Promise<string>): Promise<void> {
  for (const file of ['class.yaml', 'claim.yaml']) await weft('apply', '-f', join(root, 'examples', 'postgresql', file))
  await weft('wait', '--for=condition=Ready', 'postgresqlinstance/app', '--timeout=300s')
  const { data } = JSON.parse(await weft('get', 'secret', 'app', '-o', 'json')) as { data: Record<string, string> }
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString()
  const database = new pg.Client({ host: text('endpoint'), port: Number(text('port')), user: text('username'), password: text('password') })
  await database.connect()
  expect((await database.query('select 6 * 7 as answer')).rows).toEqual([{ answer: 42 }])
  await database.end()
  await weft('delete', 'postgresqlinstance', 'app')
  await weft('wait', '--for=delete', 'postgresqlservers', '--all', '--timeout=300s')
}
