/** E'…', in which a backslash may stand before a quote; '…', in which it means nothing; a text between dollar quotes. */
const LITERALS = /\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$([a-z_]\w*|)\$.*?\$\1\$/gis

/** A statement on one line, to know it again by: every literal is written '?', because it may be a value of a person. */
export const statementText = (text: string): string => text.replaceAll(LITERALS, "'?'").replaceAll(/\s+/g, ' ').trim()
