import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { isLoopback, siteOf } from './site.ts'

const request = (method: string, headers: Record<string, string>): IncomingMessage => ({ method, headers }) as unknown as IncomingMessage
const site = siteOf({ secure: false, host: '127.0.0.1', port: 6480 })
const own = 'http://127.0.0.1:6480'

describe('hosts', () => {
  it.each([
    { reason: 'its address', host: '127.0.0.1:6480', good: true },
    { reason: 'its name', host: 'localhost:6480', good: true },
    { reason: 'capitals', host: 'LocalHost:6480', good: true },
    { reason: 'IPv6', host: '[::1]:6480', good: true },
    { reason: 'a name that was made to point here', host: 'evil.example:6480', good: false },
    { reason: 'another port', host: '127.0.0.1:80', good: false },
    { reason: 'no port', host: '127.0.0.1', good: false },
    { reason: 'nothing', host: '', good: false },
    { reason: 'a name that begins like it', host: '127.0.0.1:6480.evil.example', good: false },
  ])('$reason: $good', ({ host, good }) => {
    const check = (): void => site.checkHost(request('GET', { host }))
    if (good) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ code: 421 }) as Error)
  })

  it('names that are given count too', () => {
    const named = siteOf({ secure: true, host: '0.0.0.0', port: 443, names: ['weft.example'] })
    expect(named.address).toBe('https://weft.example:443')
    expect(() => named.checkHost(request('GET', { host: 'weft.example' }))).not.toThrow()
    expect(() => named.checkHost(request('GET', { host: 'weft.example:443' }))).not.toThrow()
  })
})

describe('origins', () => {
  it.each([
    { reason: 'a page reads', method: 'GET', headers: { 'sec-fetch-site': 'same-origin' }, good: true },
    { reason: 'a person opens an address', method: 'GET', headers: { 'sec-fetch-site': 'none' }, good: true },
    { reason: 'a program reads', method: 'GET', headers: {}, good: true },
    { reason: 'a page writes', method: 'POST', headers: { origin: own, 'sec-fetch-site': 'same-origin' }, good: true },
    { reason: 'another site reads', method: 'GET', headers: { 'sec-fetch-site': 'cross-site' }, good: false },
    { reason: 'another port of this machine reads', method: 'GET', headers: { 'sec-fetch-site': 'same-site' }, good: false },
    { reason: 'another site reads and says so', method: 'GET', headers: { origin: 'https://evil.example' }, good: false },
    { reason: 'another site writes', method: 'POST', headers: { origin: 'https://evil.example' }, good: false },
    { reason: 'another port writes', method: 'POST', headers: { origin: 'http://127.0.0.1:6481' }, good: false },
    { reason: 'another scheme writes', method: 'POST', headers: { origin: 'https://127.0.0.1:6480' }, good: false },
    { reason: 'a sandboxed frame writes', method: 'POST', headers: { origin: 'null' }, good: false },
    { reason: 'somebody writes and does not say from where', method: 'POST', headers: {}, good: false },
    { reason: 'a form posts without a page', method: 'POST', headers: { origin: own, 'sec-fetch-site': 'none' }, good: false },
    { reason: 'somebody deletes and does not say from where', method: 'DELETE', headers: {}, good: false },
  ])('$reason: $good', ({ method, headers, good }) => {
    const check = (): void => site.checkOrigin(request(method, { host: '127.0.0.1:6480', ...headers } as Record<string, string>))
    if (good) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ code: 403 }) as Error)
  })
})

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.2', false],
  ['127.0.0.1.example.org', false],
])('is %s this machine alone? %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
