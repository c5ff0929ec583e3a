/** Asks for the token that a service requires. It is sent with every request and stored for this tab only. */
import { useState } from 'preact/hooks'
import { setToken, tokenWanted } from '../../state/service'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { Field } from '../parts/field'

export function TokenDialog() {
  const [typed, setTyped] = useState('')
  const close = () => {
    tokenWanted.value = false
    setTyped('')
  }
  const use = (event: Event) => {
    event.preventDefault()
    setToken(typed)
    setTyped('')
    location.reload()
  }
  return (
    <Dialog title="This service requires a token" open={tokenWanted.value} onClose={close}>
      <form class="stack" onSubmit={use}>
        <Field focus label="Token" type="password" value={typed} onInput={setTyped} hint="Ask the operator of the service for a token. It is stored until you close this tab." />
        <div><Button kind="primary" type="submit" disabled={typed.trim() === ''}>Use this token</Button></div>
      </form>
    </Dialog>
  )
}
