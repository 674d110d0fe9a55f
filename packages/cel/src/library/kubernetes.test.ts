import { describe, expect, test } from 'vitest'
import { KUBERNETES_ENVIRONMENT } from '../environment.ts'
import { CelRuntimeError } from '../eval/fault.ts'
import { compile } from '../program.ts'
import { AUTHORIZER_TYPE, authorizerValue, type AuthorizationAttributes } from './authorizer.ts'

const asked: AuthorizationAttributes[] = []
const authorizer = authorizerValue({
  authorize: (attributes) => {
    asked.push(attributes)
    return { allowed: attributes.verb === 'get', reason: 'because' }
  },
})
const environment = KUBERNETES_ENVIRONMENT.withVariables({ authorizer: AUTHORIZER_TYPE })

function run(expression: string): unknown {
  const { program, message } = compile(expression, environment)
  if (program === undefined) throw new Error(message)
  return program.evaluate({ authorizer }).value
}

const TRUE: Readonly<Record<string, readonly string[]>> = {
  lists: [
    '[1, 2, 2].isSorted()',
    "!['b', 'a'].isSorted()",
    '[1, 2, 3].sum() == 6',
    '[1.5, 2.5].sum() == 4.0',
    "[duration('1m'), duration('1s')].sum() == duration('61s')",
    '[3, 1, 2].min() == 1',
    "['a', 'c', 'b'].max() == 'c'",
    '[1, 2, 1].indexOf(1) == 0',
    '[1, 2, 1].lastIndexOf(1) == 2',
    '[1].indexOf(5) == -1',
    '[].sum() == 0',
  ],
  regex: [
    "'abc 123'.find('[0-9]+') == '123'",
    "'abc'.find('[0-9]+') == ''",
    "'a1b2c3'.findAll('[0-9]') == ['1', '2', '3']",
    "'a1b2c3'.findAll('[0-9]', 2) == ['1', '2']",
    "'a1'.findAll('[0-9]', 0) == []",
    "'foobar'.matches('o+b')",
  ],
  urls: [
    "isURL('https://example.com:80/path?q=1')",
    "isURL('/path')",
    "!isURL('../rel')",
    "!isURL('https://a:b:c/')",
    "url('https://user:pw@example.com:80/a%20b?k=1&k=2').getHost() == 'example.com:80'",
    "url('https://[::1]:80/').getHostname() == '::1'",
    "url('https://example.com/').getPort() == ''",
    "url('https://example.com:8080/').getPort() == '8080'",
    "url('https://example.com/with space').getEscapedPath() == '/with%20space'",
    "url('https://e.com/?k=1&k=2&a').getQuery() == {'k': ['1', '2'], 'a': ['']}",
    "url('HTTPS://e.com/').getScheme() == 'https'",
    "url('https://e.com/') == url('https://e.com/')",
  ],
  ip: [
    "isIP('127.0.0.1')",
    "isIP('::1')",
    "!isIP('127.0.0.256')",
    "!isIP(':::1')",
    "!isIP('::ffff:1.2.3.4')",
    "!isIP('fe80::1%eth0')",
    "!isIP('01.2.3.4')",
    "ip('::1').family() == 6",
    "ip('0.0.0.0').isUnspecified()",
    "ip('127.1.2.3').isLoopback()",
    "ip('224.0.0.1').isLinkLocalMulticast()",
    "ip('ff02::1').isLinkLocalMulticast()",
    "ip('169.254.169.254').isLinkLocalUnicast()",
    "ip('192.168.0.1').isGlobalUnicast()",
    "!ip('255.255.255.255').isGlobalUnicast()",
    "ip.isCanonical('2001:db8::abcd')",
    "!ip.isCanonical('2001:DB8::ABCD')",
    "!ip.isCanonical('2001:db8::0:0:0:abcd')",
    "string(ip('2001:DB8:0::1')) == '2001:db8::1'",
    "ip('2001:db8::1') == ip('2001:db8:0::1')",
    "type(ip('::1')) == net.IP",
  ],
  cidr: [
    "isCIDR('192.168.0.0/16')",
    "!isCIDR('192.168.0.0/33')",
    "!isCIDR('192.168.0.0')",
    "cidr('192.168.0.0/24').containsIP('192.168.0.1')",
    "!cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))",
    "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')",
    "!cidr('192.168.1.0/24').containsCIDR(cidr('192.168.2.0/24'))",
    "cidr('192.168.0.1/24').ip() == ip('192.168.0.1')",
    "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')",
    "cidr('::1/128').prefixLength() == 128",
    "string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
    "!cidr('::/0').containsIP('1.2.3.4')",
  ],
  quantity: [
    "isQuantity('1.3Gi')",
    "!isQuantity('1,3G')",
    "!isQuantity('200K')",
    "!isQuantity('Mi')",
    "quantity('200M').compareTo(quantity('0.2G')) == 0",
    "quantity('50Mi').isGreaterThan(quantity('50M'))",
    "quantity('50k').asInteger() == 50000",
    "!quantity('1.5').isInteger()",
    "quantity('50k').add(quantity('20')) == quantity('50.02k')",
    "quantity('50k').sub(20000) == quantity('30k')",
    "quantity('-1').sign() == -1",
    "quantity('50.5').asApproximateFloat() == 50.5",
    "quantity('1e3') == quantity('1k')",
    "quantity('0.1n').compareTo(quantity('1n')) == 0",
  ],
  semver: [
    "isSemver('1.0.0')",
    "!isSemver('v1.0')",
    "isSemver('v1.0', true)",
    "!isSemver('01.0.0')",
    "semver('1.2.3').major() == 1",
    "semver('1.2.3').isLessThan(semver('2.0.0'))",
    "semver('1.0.0-alpha').isLessThan(semver('1.0.0'))",
    "semver('1.0.0-alpha.1').compareTo(semver('1.0.0-alpha.beta')) == -1",
    "semver('1.0.0+a') == semver('1.0.0+b')",
    "semver('01.01', true) == semver('1.1.0')",
  ],
  sets: ['sets.contains([1, 2, 3], [2, 3])', 'sets.equivalent([1, 1], [1])', "!sets.intersects(['a'], ['b'])"],
  format: [
    "!format.dns1123Label().validate('my-label').hasValue()",
    "format.dns1123Label().validate('My_Label').value().size() == 1",
    "!format.dns1123LabelPrefix().validate('prefix-').hasValue()",
    "format.named('uuid').value().validate('x').value() == ['does not match the UUID format']",
    "!format.named('nothing').hasValue()",
    "!format.date().validate('2021-01-01').hasValue()",
    "format.byte().validate('!').hasValue()",
    "!format.uri().validate('http://example.com').hasValue()",
    "format.labelValue() == format.named('labelValue').value()",
  ],
  optionals: [
    "{'a': 1}.?a.orValue(2) == 1",
    "{'a': 1}[?'b'].orValue(2) == 2",
    "{'a': {'b': 3}}.?a.?b.optMap(x, x * 2).value() == 6",
    '[1, ?optional.none(), ?optional.of(2)] == [1, 2]',
    "{?'k': optional.none()}.size() == 0",
  ],
  'two variables': [
    "{'a': 1, 'b': 2}.all(k, v, v > 0 && k != '')",
    '[3, 4].transformList(i, v, v + i) == [3, 5]',
    "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
    '[1, 2].exists(i, v, i == 1 && v == 2)',
  ],
  strings: [
    "'hello'.charAt(1) == 'e'",
    "'TacoCat'.lowerAscii() == 'tacocat'",
    "'a-b-c'.split('-', 2) == ['a', 'b-c']",
    "'hello'.replace('l', 'L', 1) == 'heLlo'",
    "['a', 'b'].join('-') == 'a-b'",
    "'abc'.reverse() == 'cba'",
    "'%s is %d'.format(['x', 1]) == 'x is 1'",
    'strings.quote(\'a"b\') == \'"a\\\\"b"\'',
    "' x '.trim() == 'x'",
  ],
  comparisons: ['1 < 1.5', '2u > 1', 'type(1) == int', 'dyn(1) == 1.0'],
}

describe.each(Object.entries(TRUE))('%s', (_, expressions) => {
  test.each(expressions)('%s', (expression) => {
    expect(run(expression)).toBe(true)
  })
})

describe('failures', () => {
  test.each([
    ["ip('1.2.3.4.5')", 'IP Address "1.2.3.4.5" parse error during conversion from string: ParseAddr("1.2.3.4.5"): IPv4 address too long'],
    ["url('rel')", 'URL parse error during conversion from string: parse "rel": invalid URI for request'],
    ["quantity('1x')", 'quantities must match the regular expression'],
    ["quantity('1.5').asInteger()", 'cannot convert value to integer'],
    ["semver('1.0')", 'No Major.Minor.Patch elements found'],
    ["[dyn('a'), dyn(1)].min()", 'no such overload'],
    ["['a'].filter(x, false).min()", 'min called on empty list'],
    ["authorizer.path(' ')", 'path must not be empty'],
    ["{'a': 1}['b']", 'no such key: b'],
    ['[1][3]', 'index out of bounds: 3'],
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ["dyn('a') + 1", 'no such overload'],
    ['optional.none().value()', 'optional.none() dereference'],
  ])('%s', (expression, message) => {
    expect(() => run(expression)).toThrow(CelRuntimeError)
    expect(() => run(expression)).toThrow(message)
  })

  test('mixed literals are refused', () => {
    expect(compile("[1, 'a']", environment).message).toContain("expected type 'int' but found 'string'")
  })
})

describe('authorizer', () => {
  test('a check carries everything that was set', () => {
    asked.length = 0
    expect(
      run(
        "authorizer.serviceAccount('default', 'bot').group('apps').resource('deployments').subresource('status').namespace('n').name('x').labelSelector('a=b').check('get').allowed()",
      ),
    ).toBe(true)
    expect(asked).toEqual([
      {
        serviceAccount: { namespace: 'default', name: 'bot' },
        path: '',
        verb: 'get',
        group: 'apps',
        resource: 'deployments',
        subresource: 'status',
        namespace: 'n',
        name: 'x',
        fieldSelector: '',
        labelSelector: 'a=b',
      },
    ])
    expect(run("authorizer.path('/healthz').check('post').allowed()")).toBe(false)
    expect(run("authorizer.path('/healthz').check('get').reason()")).toBe('because')
  })
})
