/** Recognizes, by their names, files that the page saves but cannot open. */

const PICTURE = 'a picture, not a puzzle'
const BY_ENDING: Readonly<Record<string, string>> = {
  svg: PICTURE, png: PICTURE, tex: PICTURE, pdf: PICTURE, stl: 'a model, not a puzzle', glb: 'a model, not a puzzle', csv: 'a table, not a puzzle',
}

/** The content of such a file, in words; '' for other files. Browsers append " (1)" to a name that already exists. */
export function savedContent(name: string): string {
  if (/\b(tiling|solution)(-\d+)?( ?\(\d+\))?\.(json|txt)$/.test(name)) return 'a tiling, not a puzzle'
  return BY_ENDING[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? ''
}
