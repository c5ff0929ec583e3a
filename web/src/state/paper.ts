/** The paper size: the default of the browser's region, or the user's choice, which this browser stores. */
import { papers, type PaperName } from '../model/print'

const NAME = 'paper'
let chosen: PaperName | null = null

export function paperNow(): PaperName {
  return chosen ?? keptPaper() ?? (/-(US|CA|MX)\b/.test(navigator.language) ? 'letter' : 'a4')
}

export function choosePaper(paper: PaperName): void {
  chosen = paper
  try {
    localStorage.setItem(NAME, paper)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function keptPaper(): PaperName | null {
  try {
    const kept = localStorage.getItem(NAME)
    return kept !== null && Object.hasOwn(papers, kept) ? (kept as PaperName) : null
  } catch {
    return null
  }
}
