// What can be changed in a source file, one change at a time. What the type checker would refuse anyway (`a?.b` without the question mark,
// `name ?? ''` without the default), what no test should look at (prose in messages) and what has no behaviour (types, imports, log lines) is left alone.
import { parseAst } from 'vitest/node'

/**
 * One change. `expression`: the text between start and end, which is an expression, becomes `text`. `statement`: it is left out.
 * `member`: what stands there is `.name` or `?.name`, and another name is read.
 * @typedef {{ form: 'expression' | 'statement' | 'member', start: number, end: number, text: string, from: string, to: string, line: number }} Mutation
 */

const OPPOSITE = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}

const OTHER_METHOD = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trim: 'toString',
}

/** Without them the list goes on as it was. */
const DROPPED_CALLS = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'sort', 'reverse'])

/** Of these nodes only the expression is code. */
const TYPED_EXPRESSIONS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSInstantiationExpression'])

const WITHOUT_BEHAVIOUR = /^(Import|ExportAll)|^TS/

const LOGS = /^(this\.)?#?(\w+\.)*log(ger)?\??\.\w+\(/

/** @returns {{ mutations: Mutation[], statements: { start: number, end: number }[] }} */
export function mutationsOf(text) {
  const found = []
  const statements = []
  const lines = lineStarts(text)
  const add = (form, { start, end }, to, from = text.slice(start, end)) =>
    found.push({ form, start, end, from: oneLine(from), to: oneLine(to), text: to, line: lineAt(lines, start) })
  walk(parseAst(text, { lang: 'ts' }), undefined, (node, parent) => {
    if (node.type === 'ExpressionStatement' && !node.directive) statements.push({ start: node.start, end: node.end })
    mutate(node, parent, { text, add })
  })
  return { mutations: found, statements }
}

function mutate(node, parent, { text, add }) {
  const source = ({ start, end }) => text.slice(start, end)
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      for (const value of ['true', 'false']) add('expression', node.test, value)
      break
    case 'WhileStatement':
      if (node.test.type !== 'Literal') add('expression', node.test, 'false')
      break
    case 'BinaryExpression':
      if (node.operator === '+' && [node.left, node.right].some(isText)) break
      for (const operator of OPPOSITE[node.operator] ?? []) add('expression', node, operands(node, text).join(operator))
      break
    case 'LogicalExpression':
      add('expression', node, `(${operands(node, text).join(`) ${OPPOSITE[node.operator][0]} (`)})`)
      break
    case 'UnaryExpression':
      if (node.operator === '!' || node.operator === '-') add('expression', node, source(node.argument))
      break
    case 'Literal':
      if (mayChange(node, parent)) add('expression', node, otherLiteral(node))
      break
    case 'ReturnStatement':
      if (node.argument && !isNothing(node.argument)) add('expression', node.argument, 'undefined', `return ${source(node.argument)}`)
      break
    case 'ArrowFunctionExpression':
      if (node.body.type !== 'BlockStatement' && !isNothing(node.body)) add('expression', node.body, 'undefined', `=> ${source(node.body)}`)
      break
    case 'ExpressionStatement':
      if (!node.directive && changesSomething(node.expression) && !LOGS.test(source(node))) add('statement', node, '')
      break
    case 'CallExpression':
      mutateCall(node, parent, { text, add })
      break
    default:
  }
}

function mutateCall({ callee, start, end }, parent, { text, add }) {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return
  const other = OTHER_METHOD[callee.property.name]
  if (other !== undefined && Object.hasOwn(OTHER_METHOD, callee.property.name))
    add('member', { start: memberStart(callee.property, text), end: callee.property.end }, other)
  // In `a?.b.filter(f).c` a step cannot be left out by itself: the whole chain ends where `a` is undefined.
  const inChain = parent?.type === 'ChainExpression' || parent?.type === 'MemberExpression'
  if (DROPPED_CALLS.has(callee.property.name) && !(inChain && text.slice(start, end).includes('?.')))
    add('expression', { start, end }, text.slice(callee.object.start, callee.object.end))
}

/** Left and right, with the parentheses that belong to them: nodes end inside of theirs. */
function operands({ left, right, operator, start, end }, text) {
  const at = text.indexOf(operator, left.end)
  return [text.slice(start, Math.max(at, left.end)), text.slice(Math.min(at + operator.length, right.start), end)]
}

function memberStart({ start }, text) {
  const dot = text.lastIndexOf('.', start)
  return text[dot - 1] === '?' ? dot - 1 : dot
}

const isText = ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string'

const isNothing = ({ type, name, value }) => (type === 'Identifier' && name === 'undefined') || (type === 'Literal' && value === null)

/** `a && b()`, `await f()`, `x = 1`; not a bare name. */
const changesSomething = ({ type }) => !['Identifier', 'Literal', 'YieldExpression'].includes(type)

function mayChange(node, parent) {
  if (node.value === null || node.regex !== undefined || node.bigint !== undefined) return false
  if (parent.type === 'ExpressionStatement') return false
  if (node.value === '' && parent.operator === '??') return false
  if ((parent.type === 'Property' || parent.type.endsWith('Definition')) && parent.key === node && !parent.computed) return false
  // Prose is for people: tests look at what a message says about, not at its words.
  return typeof node.value !== 'string' || !/\s/.test(node.value)
}

function otherLiteral({ value, raw }) {
  if (typeof value === 'boolean') return String(!value)
  if (typeof value === 'number') return `${raw} + 1`
  return value === '' ? "'mutated'" : "''"
}

function walk(node, parent, visit) {
  if (TYPED_EXPRESSIONS.has(node.type)) return walk(node.expression, node, visit)
  if (WITHOUT_BEHAVIOUR.test(node.type)) return
  if (node.type === 'ExportNamedDeclaration' && node.source) return
  visit(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments') continue
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === 'string') walk(child, node, visit)
  }
}

const oneLine = (code) => {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 97)}...` : line
}

function lineStarts(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts, offset) {
  let low = 0
  for (let high = starts.length; high - low > 1;) {
    const middle = (low + high) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle
  }
  return low + 1
}
