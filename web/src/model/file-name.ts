/** Names of files from the title of a puzzle: "The Soma cube" and "tiling 5.svg" make the-soma-cube-tiling-5.svg. */
export function fileName(title: string, what: string, ending: string): string {
  const words = `${title || 'puzzle'} ${what}`.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  const plain = words.replace(/['’]/g, '').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return `${[...plain].slice(0, 80).join('').replace(/-$/, '')}.${ending}`
}
