/** A button that opens a list of actions. Arrow keys move in it, Escape closes it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icons'
import './menu.css'

export interface MenuItem {
  label: string
  icon?: IconName
  onChoose: () => void
  disabled?: boolean
  /** For an item that is one of several choices: whether it is the current choice. */
  checked?: boolean
}

export interface MenuProps {
  label: string
  icon?: IconName
  /** Whether the label of the button is only for screen readers and its tip. */
  iconOnly?: boolean
  items: readonly MenuItem[]
}

export function Menu({ label, icon, iconOnly, items }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [toEnd, setToEnd] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const show = () => {
    const { left = 0, right = 0 } = button.current?.getBoundingClientRect() ?? {}
    setToEnd(innerWidth - left > Math.min(WIDTH, right)) // opens to the side that has room
    setOpen(true)
  }
  const close = (focus: boolean) => {
    setOpen(false)
    if (focus) button.current?.focus()
  }
  useEffect(() => {
    if (open) entries(root.current)[0]?.focus()
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open && event.key === 'ArrowDown') show()
    else if (open && event.key === 'Escape') close(true)
    else if (!open || !moveFocus(event.key, entries(root.current))) return
    event.preventDefault()
  }
  const onFocusOut = (event: FocusEvent) => {
    if (!(event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget))) close(false)
  }
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <button
        ref={button} class={`button ${iconOnly ? 'button-icon' : 'button-plain'}`} type="button" aria-haspopup="menu" aria-expanded={open}
        aria-label={iconOnly ? label : undefined} title={iconOnly ? label : undefined} onClick={() => (open ? close(false) : show())}
      >
        {icon && <Icon name={icon} />}
        {!iconOnly && <><span>{label}</span><Icon name="down" /></>}
      </button>
      {open && (
        <div class={`menu-list ${toEnd ? 'menu-to-end' : ''}`} role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              key={item.label} class="menu-item" type="button" role={item.checked === undefined ? 'menuitem' : 'menuitemradio'} aria-checked={item.checked} tabIndex={-1} disabled={item.disabled}
              onClick={() => { close(true); item.onChoose() }}
            >
              {item.icon && <Icon name={item.icon} />}
              <span>{item.label}</span>
              {item.checked && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The greatest width that a list may need, in pixels. */
const WIDTH = 240

function entries(root: HTMLElement | null): HTMLElement[] {
  return root ? [...root.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)')] : []
}

function moveFocus(key: string, among: HTMLElement[]): boolean {
  const at = among.findIndex((element) => element === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key]
  if (to === undefined) return false
  among.at(to % among.length)?.focus()
  return true
}
