/** The command that checks a certificate: it is about the puzzle with its conditions. */

interface Conditions {
  readonly with?: readonly string[]
  readonly without?: readonly string[]
}

export function verifyCommand({ with: kept = [], without = [] }: Conditions): string {
  const conditions = [...kept.map((one) => ` --with ${quoted(one)}`), ...without.map((one) => ` --without ${quoted(one)}`)]
  return `pavage verify PUZZLE${conditions.join('')} --certificate FILE`
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@,/.:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
