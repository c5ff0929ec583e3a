/** Copies the link to the open puzzle. Without a clipboard it shows the link. */
import { useState } from 'preact/hooks'
import { shareLink } from '../../state/link'
import { nameTiling } from '../../state/explore'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'
import { copyText } from '../parts/clipboard'
import { Dialog } from '../parts/dialog'
import { Field } from '../parts/field'
import './share.css'

/** Whether the service runs on this computer, where others cannot reach it. */
const here = /^(localhost|127\.|\[::1\])/.test(location.hostname)
export const WHO = here ? 'The link works on this computer only. To share the puzzle with others, save it as a file.' : 'Anyone who opens the link sees the same puzzle.'
const SAID = `The link is copied. ${WHO}`

export function Share() {
  const [copied, setCopied] = useState(false)
  const [link, setLink] = useState('')
  const share = async () => {
    nameTiling()
    const made = await shareLink()
    if (await copyText(made)) {
      setCopied(true)
      announce(SAID)
    } else setLink(made)
  }
  const again = () => setCopied(false)
  return (
    <>
      <span class="share">
        <Button icon={copied ? 'check' : 'share'} onClick={() => void share()} onBlur={again} onPointerLeave={again}>{copied ? 'Copied' : 'Share'}</Button>
        {copied && <span class="share-said">{SAID}</span>}
      </span>
      <Dialog title="Link to this puzzle" open={link !== ''} onClose={() => setLink('')}>
        <Field focus label={`Copy this link. ${WHO}`} value={link} onInput={() => undefined} />
      </Dialog>
    </>
  )
}
