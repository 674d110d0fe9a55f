// node check.mjs SECRET [CONNECTIONS]: connects as the application would, with its secret and nothing else.
// With CONNECTIONS it waits until the server allows that many.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const [name, connections] = process.argv.slice(2)
const PATIENCE_MS = 120_000

const secret = JSON.parse(execFileSync('npx', ['weft', 'get', 'secret', name, '-o', 'json'], { encoding: 'utf8' }))
const text = (key) => Buffer.from(secret.data[key], 'base64').toString()
const address = {
  host: text('endpoint'),
  port: Number(text('port')),
  user: text('username'),
  password: text('password'),
  database: text('database'),
}

async function post() {
  const client = new pg.Client(address)
  // While the server is restarted it ends connections; the next try will tell.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query("create table if not exists posts as select 'Hello, world!' as title")
    const { rows } = await client.query(
      "select title, current_user, current_database(), current_setting('max_connections') as max from posts",
    )
    return rows[0]
  } finally {
    await client.end()
  }
}

for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
  const seen = await post().catch((error) => ({ error }))
  if (seen.error === undefined && (connections ?? seen.max) === seen.max) {
    console.log(`${seen.title} says ${seen.current_user} on ${seen.current_database}, of ${seen.max} connections`)
    break
  }
  if (Date.now() > deadline) throw seen.error ?? new Error(`the server allows ${seen.max} connections, not ${connections}`)
}
