/** Buttons with text, or with an icon whose label is also its tip. */
import type { ComponentChildren, ComponentProps } from 'preact'
import { Busy } from './busy'
import { Icon, type IconName } from './icons'
import './button.css'

type Native = Omit<ComponentProps<'button'>, 'class' | 'className' | 'icon' | 'children' | 'label'>

export interface ButtonProps extends Native {
  /** primary: the main action of the view. */
  kind?: 'plain' | 'primary'
  /** While busy, the button cannot be pressed, but keeps the focus. */
  busy?: boolean
  icon?: IconName
  children: ComponentChildren
}

export function Button({ kind = 'plain', busy = false, icon, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${kind}`}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Busy /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

export interface IconButtonProps extends Native {
  icon: IconName
  /** The name for screen readers, also shown as a tip. */
  label: string
  /** Whether the button stays down, as that of a chosen tool. */
  pressed?: boolean
}

export function IconButton({ icon, label, pressed, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} class="button button-icon" aria-label={label} aria-pressed={pressed}>
      <Icon name={icon} />
    </button>
  )
}

export function ButtonLink({ kind = 'plain', href, icon, children }: { kind?: 'plain' | 'primary'; href: string; icon?: IconName; children: ComponentChildren }) {
  return (
    <a class={`button button-${kind}`} href={href}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}
