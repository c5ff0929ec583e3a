/** Numbers as people read them. Counts are strings or BigInts, since they may have any length. */

/** A narrow blank that no line breaks at: between groups of digits. */
const THIN = '\u202f'

/** 12988816 as 12 988 816, from four digits on. */
export function groupDigits(count: string | bigint | number, blank = THIN): string {
  const text = String(count)
  const sign = text.startsWith('-') ? '-' : ''
  const groups: string[] = []
  for (let end = text.length; end > sign.length; end -= 3) groups.push(text.slice(Math.max(end - 3, sign.length), end))
  return sign + groups.reverse().join(blank)
}

/** Groups the digits of numbers in a sentence. Numbers of fewer than `least` digits stay: 5 leaves years as they are. */
export function groupedText(text: string, least = 4): string {
  return text.replace(/(?<![\w.,@/^#-])\d{4,}(?![\w@/]|[.,]\d)/g, (number) => (number.length < least ? number : groupDigits(number)))
}

/** A number of more than six digits, rounded to 9.2 × 10^22; null for shorter numbers. */
export function powerOfTen(count: string | bigint): { digits: string; exponent: number } | null {
  const text = String(count)
  const sign = text.startsWith('-') ? '-' : ''
  const number = text.slice(sign.length)
  if (number.length <= 6) return null
  const rounded = (BigInt(number.slice(0, 3)) + 5n) / 10n // two digits
  const up = rounded >= 100n
  const two = (up ? rounded / 10n : rounded).toString()
  return { digits: `${sign}${two[0]}.${two[1]}`, exponent: number.length - 1 + (up ? 1 : 0) }
}

/** "about 9.2 × 10²²" for a long number, "" for a short one. */
export function aboutPower(count: string | bigint): string {
  const power = powerOfTen(count)
  return power ? `about ${power.digits} × 10${raised(power.exponent)}` : ''
}

/** A count in a sentence: its digits, or only its power of ten if it has more than 24 digits. */
export function briefly(count: bigint): string {
  return count < 10n ** 24n ? groupDigits(count) : aboutPower(count)
}

function raised(n: number): string {
  return [...String(n)].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]).join('')
}

/** "1 tiling", "12 988 816 tilings". */
export function counted(count: string | bigint | number, one: string, many = `${one}s`): string {
  return `${groupDigits(String(count))} ${String(count) === '1' ? one : many}`
}

const TIMES = [
  { least: 31_557_600, word: 'year' },
  { least: 86_400, word: 'day' },
  { least: 3600, word: 'hour' },
  { least: 60, word: 'minute' },
] as const

/** A span of time: "less than a second", "about 3 minutes", "more than 100 years". */
export function spanOf(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds > 100 * TIMES[0].least) return 'more than 100 years'
  if (seconds < 1) return 'less than a second'
  const unit = TIMES.find(({ least }) => seconds >= 1.5 * least) ?? { least: 1, word: 'second' }
  const n = Math.round(seconds / unit.least)
  return `about ${n} ${unit.word}${n === 1 ? '' : 's'}`
}

/** A time that was measured: "0.005 s", "3.2 s", "2 min 5 s", "1 h 20 min". */
export function tookTime(seconds: number): string {
  if (seconds < 0.0995) return `${Math.max(0.001, Number(seconds.toPrecision(1)))} s`
  if (seconds < 59.95) return `${Number(seconds.toPrecision(seconds < 9.95 ? 2 : 3))} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Bytes: "34.6 MB". */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
  let [n, k] = [bytes, 0]
  while (n >= 999.5 && k < units.length - 1) [n, k] = [n / 1000, k + 1]
  return k === 0 ? (n === 1 ? '1 byte' : `${n} bytes`) : `${Number(n.toPrecision(3))} ${units[k]}`
}

/** The memory of a forecast: "little memory", "about 35 MB of memory", "more memory than any computer has". */
export function memoryOf(bytes: number | null): string {
  if (bytes === null) return 'little memory'
  if (!(bytes < LARGEST)) return 'more memory than any computer has'
  return `about ${sizeOf(Number(bytes.toPrecision(2)))} of memory`
}

/** A number of bytes above the memory of the largest computers, which is about 10 PB. */
const LARGEST = 1e17

/** An estimate: "about 12 000", "about 3.4 × 10⁹". */
export function roughly(n: number): string {
  if (!Number.isFinite(n)) return 'too many'
  if (n < 1000) return String(Math.round(n))
  const whole = BigInt(Math.round(n))
  return aboutPower(whole) || `about ${groupDigits(BigInt(Number(n.toPrecision(2))))}`
}

/** A share as percent: "12.5 %", "less than 0.1 %", "100 %" only if it is all. */
export function percent(part: bigint, whole: bigint): string {
  if (whole <= 0n) return '–'
  if (part === 0n) return '0 %'
  if (part === whole) return '100 %'
  const tenths = (part * 2000n + whole) / (2n * whole)
  if (tenths === 0n) return 'less than 0.1 %'
  if (tenths >= 1000n) return 'more than 99.9 %'
  return `${tenths / 10n}${tenths % 10n ? `.${tenths % 10n}` : ''} %`
}

/** A share as percent where there is little room: "67", "<1", ">99"; 0 and 100 only if it is none or all. */
export function shortPercent(part: bigint, whole: bigint): string {
  if (part <= 0n || whole <= 0n) return '0'
  if (part >= whole) return '100'
  const whole2 = (part * 200n + whole) / (2n * whole)
  if (whole2 === 0n) return '<1'
  return whole2 >= 100n ? '>99' : String(whole2)
}

/** A share below 1 % in words: "1 in 10 764"; "" for a larger share. */
export function oneIn(part: bigint, whole: bigint): string {
  if (part <= 0n || part * 100n >= whole) return ''
  const times = (2n * whole + part) / (2n * part)
  return `${whole % part ? 'about ' : ''}1 in ${times < 10n ** 9n ? groupDigits(times) : aboutPower(times).replace('about ', '')}`
}

/** The share as a number from 0 to 1, for lengths and colours only. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0
  return Number((part * (1n << 53n)) / whole) / 2 ** 53
}
