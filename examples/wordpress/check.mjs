// Connects as the application would: with its secret, and nothing else.
import { execFileSync } from 'node:child_process'
import pg from 'pg'

const [name] = process.argv.slice(2)
const secret = JSON.parse(execFileSync('npx', ['weft', 'get', 'secret', name, '-o', 'json'], { encoding: 'utf8' }))
const text = (key) => Buffer.from(secret.data[key], 'base64').toString()
const client = new pg.Client({
  host: text('endpoint'),
  port: Number(text('port')),
  user: text('username'),
  password: text('password'),
  database: text('database'),
})
await client.connect()
await client.query('create table if not exists posts (title text)')
await client.query("insert into posts values ('Hello, world!')")
const { rows } = await client.query('select title, current_user, current_database() from posts limit 1')
const { rows: limits } = await client.query('show max_connections')
console.log(`${rows[0].title} says ${rows[0].current_user} on ${rows[0].current_database}, of ${limits[0].max_connections} connections`)
await client.end()
