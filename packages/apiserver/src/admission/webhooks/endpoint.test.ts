import { describe, expect, it } from 'vitest'
import { type ClientConfig, endpointOf, trustOf } from './endpoint.ts'
import { describeFailure, statusFailure } from './http-failure.ts'

const resolve = ({ name, port }: { name: string; port: number }): { host: string; port: number } =>
  name === 'six' ? { host: '::1', port } : { host: 'backend.example.org', port: port + 1 }

describe('where a webhook is', () => {
  it.each<{ reason: string; config: ClientConfig; url: string; origin: string; host?: string; serverName?: string }>([
    { reason: 'a URL', config: { url: 'https://h.example.org/p' }, url: 'https://h.example.org/p', origin: 'https://h.example.org' },
    {
      reason: 'a URL with a port',
      config: { url: 'https://h.example.org:8443' },
      url: 'https://h.example.org:8443/',
      origin: 'https://h.example.org:8443',
    },
    {
      reason: 'a service: its certificate carries its name',
      config: { service: { namespace: 'ns', name: 'svc', path: '/p' } },
      url: 'https://svc.ns.svc:443/p',
      origin: 'https://backend.example.org:444',
      host: 'svc.ns.svc:443',
      serverName: 'svc.ns.svc',
    },
    {
      reason: 'a service at an IPv6 address',
      config: { service: { namespace: 'ns', name: 'six', port: 99 } },
      url: 'https://six.ns.svc:99/',
      origin: 'https://[::1]:99',
      host: 'six.ns.svc:99',
      serverName: 'six.ns.svc',
    },
  ])('$reason', ({ config, url, origin, host, serverName }) => {
    expect(endpointOf(config, trustOf(undefined), resolve)).toMatchObject({ url, origin, host, serverName })
  })

  it('must be given', () => {
    expect(() => endpointOf({}, trustOf(undefined), resolve)).toThrow('webhook configuration must have either service or URL')
  })
})

describe('trust', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  it('is the same for the same bundle, and the system for none', () => {
    expect(trustOf(base64('pem')).id).toBe(trustOf(base64('pem')).id)
    expect(trustOf(base64('pem')).id).not.toBe(trustOf(base64('other')).id)
    expect(trustOf(base64(' \n')).ca).toBeUndefined()
    expect(trustOf(undefined).ca).toBeUndefined()
  })
})

describe('failures in words', () => {
  const target = { origin: 'https://h.example.org:8443', host: undefined }
  it.each<{ code: string; more?: object; said: string }>([
    { code: 'ECONNREFUSED', more: { address: '10.0.0.1', port: 8443 }, said: 'dial tcp 10.0.0.1:8443: connect: connection refused' },
    { code: 'ENOTFOUND', said: 'dial tcp: lookup h.example.org: no such host' },
    { code: 'UND_ERR_SOCKET', said: 'EOF' },
    { code: 'CERT_HAS_EXPIRED', said: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid' },
    {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      said: 'tls: failed to verify certificate: x509: certificate is not valid for h.example.org: odd',
    },
    { code: 'EODD', said: 'odd' },
  ])('$code', ({ code, more, said }) => {
    const error = Object.assign(new Error('odd'), { code, ...more })
    expect(describeFailure(error, target)).toBe(said)
    expect(describeFailure(new AggregateError([error]), target)).toBe(said)
  })

  it.each<{ status: number; body: string; contentType?: string; said: string }>([
    { status: 403, body: 'go away', said: 'go away' },
    { status: 418, body: 'teapot', said: 'the server responded with the status code 418 but did not return more information' },
    { status: 502, body: 'oh "no"', said: 'an error on the server ("oh \\"no\\"") has prevented the request from succeeding' },
    {
      status: 502,
      body: '<x/>',
      contentType: 'application/xml',
      said: 'an error on the server ("unknown") has prevented the request from succeeding',
    },
    { status: 500, body: '{"kind":"Status","message":"told you"}', contentType: 'application/json', said: 'told you' },
  ])('status $status, body $body', ({ status, body, contentType = 'text/plain', said }) => {
    expect(statusFailure(status, body, contentType).message).toBe(said)
  })
})
