/** Copies the link to what is open. Where the browser gives no clipboard, it shows the link to be copied by hand. */
import { useState } from 'preact/hooks'
import { shareLink } from '../../state/link'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'
import { copyText } from '../parts/clipboard'
import { Dialog } from '../parts/dialog'
import { Field } from '../parts/field'

export function Share() {
  const [copied, setCopied] = useState(false)
  const [link, setLink] = useState('')
  const share = async () => {
    const made = await shareLink()
    if (await copyText(made)) {
      setCopied(true)
      announce('The link is copied. Whoever opens it sees the same.')
    } else setLink(made)
  }
  const again = () => setCopied(false)
  return (
    <>
      <Button icon={copied ? 'check' : 'share'} onClick={() => void share()} onBlur={again} onPointerLeave={again}>{copied ? 'Link copied' : 'Share'}</Button>
      <Dialog title="Link to this puzzle" open={link !== ''} onClose={() => setLink('')}>
        <Field focus label="Copy this link. Whoever opens it sees the same." value={link} onInput={() => undefined} />
      </Dialog>
    </>
  )
}
