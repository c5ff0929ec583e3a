/** A button that copies a text and confirms that. Without a clipboard it shows the text for copying by hand. */
import { useState } from 'preact/hooks'
import { announce } from './announce'
import { Button, IconButton } from './button'
import { copyText } from './clipboard'
import './copy.css'

export interface CopyProps {
  text: string
  /** The label of the button: "Copy the number". */
  label: string
  iconOnly?: boolean
}

export function Copy({ text, label, iconOnly }: CopyProps) {
  const [state, setState] = useState<'' | 'copied' | 'shown'>('')
  const onClick = async () => {
    const copied = await copyText(text)
    setState(copied ? 'copied' : 'shown')
    announce(copied ? 'Copied' : 'The text is shown: copy it by hand')
  }
  const icon = state === 'copied' ? 'check' : 'copy'
  const again = () => setState((now) => (now === 'copied' ? '' : now))
  return (
    <span class="copy">
      {iconOnly
        ? <IconButton icon={icon} label={state === 'copied' ? 'Copied' : label} onClick={onClick} onBlur={again} onPointerLeave={again} />
        : <Button icon={icon} onClick={onClick} onBlur={again} onPointerLeave={again}>{state === 'copied' ? 'Copied' : label}</Button>}
      {state === 'shown' && <input class="copy-text" readonly value={text} aria-label="Copy this text" onFocus={(event) => event.currentTarget.select()} />}
    </span>
  )
}
