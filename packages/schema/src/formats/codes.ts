/** Formats that are codes: identifiers, check digits, colours, base64. All expressions here are linear and our own. */
const uuid = (version: string, variant: string): ((text: string) => boolean) => {
  const expression = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?${variant}-?[0-9a-f]{12}$`, 'i')
  return (text) => expression.test(text)
}

export const isUuid: Readonly<Record<'any' | 'v3' | 'v4' | 'v5', (text: string) => boolean>> = {
  any: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
  v3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
  v4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  v5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
}

export const isBsonObjectId = (text: string): boolean => /^[0-9a-fA-F]{24}$/.test(text)

const withoutSpacesAndDashes = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '')
const digitAt = (text: string, index: number): number => text.charCodeAt(index) - 0x30

export function isIsbn10(text: string): boolean {
  const code = withoutSpacesAndDashes(text)
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(code)) return false
  let sum = 10 * (code[9] === 'X' ? 10 : digitAt(code, 9))
  for (let i = 0; i < 9; i++) sum += (i + 1) * digitAt(code, i)
  return sum % 11 === 0
}

export function isIsbn13(text: string): boolean {
  const code = withoutSpacesAndDashes(text)
  if (!/^[0-9]{13}$/.test(code)) return false
  let sum = 0
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * digitAt(code, i)
  return digitAt(code, 12) === (10 - (sum % 10)) % 10
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/

/** Separators of any kind are ignored; the Luhn digit must be right. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  if (!cardNumber.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digitAt(digits, digits.length - 1 - i)
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled >= 10 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

// Eleven characters, so both separators are needed although the expression alone would not ask for them.
export const isSsn = (text: string): boolean => text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text)

export const isHexColor = (text: string): boolean => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)

const space = '[\\t\\n\\f\\r ]*'
const channel = `${space}(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])${space}`
const rgb = new RegExp(`^rgb\\(${channel},${channel},${channel}\\)$`)
export const isRgbColor = (text: string): boolean => rgb.test(text)

/** Standard alphabet with padding; the empty string is not base64 to kube-apiserver. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}
