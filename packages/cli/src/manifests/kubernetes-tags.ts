import type { ScalarTag, Tags } from 'yaml'

/** What YAML 1.1 has and Kubernetes' reader has not: dates, and numbers to the base of sixty. */
const NOT_OF_KUBERNETES = new Set(['tag:yaml.org,2002:timestamp ', 'tag:yaml.org,2002:int TIME', 'tag:yaml.org,2002:float TIME'])

const FLOAT = 'tag:yaml.org,2002:float'

/** Numbers as Kubernetes' reader knows them: the library's pattern takes `e1` and a lone dot for one. */
export function kubernetesTags(tags: Tags): Tags {
  const kept = tags.filter((tag) => typeof tag === 'string' || !NOT_OF_KUBERNETES.has(`${tag.tag} ${tag.format ?? ''}`))
  return [OCTAL, ...kept.map((tag) => (typeof tag === 'string' || tag.tag !== FLOAT ? tag : withPattern(tag as ScalarTag)))]
}

function withPattern(tag: ScalarTag): ScalarTag {
  if (tag.format === 'EXP') return { ...tag, test: /^[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)[eE][-+]?[0-9]+$/ }
  const isPlain = tag.test?.test('1.5') ?? false
  return isPlain ? { ...tag, test: /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/ } : tag
}

/** `0o17`, which YAML has only since 1.2. */
const OCTAL: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  format: 'OCT',
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => (text.startsWith('-') ? -1n : 1n) * BigInt(text.replace(/^[-+]/, '')),
}
