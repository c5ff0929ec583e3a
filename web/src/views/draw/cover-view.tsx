/** A puzzle without a drawing, in words: an exact cover, or a board too large for the page. */
import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../model/numbers'
import { checked } from '../../state/check'
import { type Source, source } from '../../state/store'
import { sourceText } from '../../state/source-text'
import './cover-view.css'

/** The maximum number of lines of the file shown. */
const LINES = 24

export function CoverView() {
  const text = useText(source.value)
  const check = checked.value
  const shown = 'shown' in check ? check.shown : undefined
  const isBoard = Boolean(shown?.lattice)
  return (
    <section class="cover sheet">
      <h2>{isBoard ? 'A large board' : 'An exact cover'}</h2>
      <p>{isBoard ? 'This board is too large to be drawn here.' : 'This puzzle has items and options, but no board to draw.'} You can still count it{isBoard && ', and see samples in Explore'}.</p>
      {shown && <p class="cover-numbers"><strong>{counted(shown.items, 'item')}</strong>, <strong>{counted(shown.options, 'option')}</strong></p>}
      {text && <pre class="cover-text" tabIndex={0} aria-label="The first lines of the file">{firstLines(text)}</pre>}
    </section>
  )
}

function firstLines(text: string): string {
  const lines = text.split('\n')
  return lines.length > LINES ? `${lines.slice(0, LINES).join('\n')}\n…` : text
}

function useText(now: Source): string {
  const [text, setText] = useState('')
  useEffect(() => {
    let current = true
    setText('')
    void sourceText(now).then((found) => current && setText(found))
    return () => {
      current = false
    }
  }, [now])
  return text
}
