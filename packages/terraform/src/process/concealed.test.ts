import { describe, expect, test } from 'vitest'
import { Concealed } from './concealed.ts'

describe('what a log must not show', () => {
  const hiding = (...texts: string[]): Concealed => {
    const concealed = new Concealed()
    concealed.add(texts)
    return concealed
  }

  test.each([
    ['as it is', 'login with hunter2"x failed', 'login with (hidden) failed'],
    ['quoted', 'login with "hunter2\\"x" failed', 'login with "(hidden)" failed'],
    ['as base64', `Basic ${Buffer.from('hunter2"x').toString('base64')}`, 'Basic (hidden)'],
    ['in an address', 'GET /?p=hunter2%22x&a=b', 'GET /?p=(hidden)&a=b'],
    ['twice', 'hunter2"xhunter2"x', '(hidden)(hidden)'],
  ])('T15: is hidden %s', (_, text, shown) => expect(hiding('hunter2"x').hide(text)).toBe(shown))

  test('T15: is hidden line by line, as it is printed', () => {
    const concealed = hiding('-----BEGIN KEY-----\nMIIEpAIBAAKC\n-----END KEY-----')
    expect(['-----BEGIN KEY-----', 'x MIIEpAIBAAKC y', '-----END KEY-----'].map((line) => concealed.hide(line))).toEqual([
      '(hidden)',
      'x (hidden) y',
      '(hidden)',
    ])
  })

  test('T15: is hidden whole where one is part of another', () =>
    expect(hiding('secret', 'secret-and-more').hide('a secret-and-more b')).toBe('a (hidden) b'))

  test('words are left alone', () => expect(hiding('a', 'the', '').hide('the cat sat on a mat')).toBe('the cat sat on a mat'))
})
