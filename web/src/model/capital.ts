/** The service writes its words small; at the beginning of a sentence the page makes the first letter large. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
