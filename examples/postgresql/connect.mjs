// Connects as an application would: with the claim's secret, and nothing else.
import { execFileSync } from 'node:child_process'
import pg from 'pg'

const [name] = process.argv.slice(2)
const secret = JSON.parse(execFileSync('npx', ['weft', 'get', 'secret', name, '-o', 'json'], { encoding: 'utf8' }))
const text = (key) => Buffer.from(secret.data[key], 'base64').toString()
const client = new pg.Client({ host: text('endpoint'), port: Number(text('port')), user: text('username'), password: text('password') })
await client.connect()
const { rows } = await client.query("select split_part(version(), ' ', 1) as product, 6 * 7 as answer")
console.log(`${rows[0].product} says ${rows[0].answer}`)
await client.end()
