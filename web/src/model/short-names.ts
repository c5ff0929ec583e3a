/** Names of pieces without their common prefix, as labels of cells: bedlam-07 is 07. */
export function shortNames(names: readonly string[]): string[] {
  const [first = ''] = names
  const common = (n: number) => /[-_ ]/.test(first[n - 1] ?? '') && names.every((name) => name.length > n && name.startsWith(first.slice(0, n)))
  let n = first.length
  while (n > 0 && !common(n)) n--
  return names.map((name) => name.slice(n))
}
