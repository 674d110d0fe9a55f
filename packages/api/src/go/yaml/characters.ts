/** What the writer takes for printable: neither tabs, nor what needs four bytes, nor marks of the byte order. */
export const isPrintable = (char: string): boolean => /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(char)

export const isBreak = (char: string | undefined): boolean => char !== undefined && /^[\r\n\x85\u2028\u2029]$/.test(char)

export const isBom = (char: string | undefined): boolean => char === '\ufeff'

/** A blank, a break, or the end. */
export const isBlank = (char: string | undefined): boolean => char === undefined || char === ' ' || char === '\t' || isBreak(char)
