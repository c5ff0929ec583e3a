/** A dialog over the page. The browser keeps the focus in it, closes it on Escape and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from './button'
import './dialog.css'

export interface DialogProps {
  title: string
  open: boolean
  onClose: () => void
  children: ComponentChildren
  actions?: ComponentChildren
}

export function Dialog({ title, open, onClose, children, actions }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (open && element && !element.open) element.showModal()
    if (!open) element?.close()
  }, [open])
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={id} onClose={onClose} onClick={onBackdrop}>
      {open && (
        <div class="dialog-sheet">
          <header class="dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton icon="cross" label="Close" onClick={onClose} />
          </header>
          <div class="dialog-body">{children}</div>
          {actions && <footer class="dialog-actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}
