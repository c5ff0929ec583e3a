/** The command that checks a certificate of the puzzle with its conditions. */

interface Conditions {
  readonly with?: readonly string[]
  readonly without?: readonly string[]
}

export function verifyCommand({ with: kept = [], without = [] }: Conditions): string {
  const conditions = [...kept.map((one) => ` --with ${quoted(one)}`), ...without.map((one) => ` --without ${quoted(one)}`)]
  return `pavage verify PUZZLE${conditions.join('')} --certificate FILE`
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@,/.:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
