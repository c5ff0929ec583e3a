/** The paper that is printed on: as is usual where the browser is from, or as the user has chosen. The choice is kept in this browser. */
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
    // A browser that keeps nothing: the choice holds until the page is closed.
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
