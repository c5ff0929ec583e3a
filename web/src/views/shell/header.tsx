/** The name of the page, links to the views, the theme and help. */
import { view, views } from '../../state/link'
import { chooseTheme, theme, themes, type Theme } from '../../state/theme'
import { token, tokenWanted } from '../../state/service'
import { IconButton } from '../parts/button'
import { Icon, type IconName } from '../parts/icons'
import { Menu } from '../parts/menu'
import { helpOpen } from './help-dialog'
import { viewWords } from './view-words'
import './header.css'

export function Header() {
  return (
    <header class="header no-print">
      <a class="header-name" href={hrefOf('gallery')}><Mark />Pavage</a>
      <nav class="header-nav" aria-label="Views">
        {views.map((one) => (
          <a key={one} class="header-link" href={hrefOf(one)} title={viewWords[one].tip} aria-current={one === view.value ? 'page' : undefined}>
            <Icon name={viewWords[one].icon} /><span>{viewWords[one].label}</span>
          </a>
        ))}
      </nav>
      <div class="header-tools">
        {token.value && <IconButton icon="key" label="Change the token" onClick={() => { tokenWanted.value = true }} />}
        <ThemeMenu />
        <IconButton icon="help" label="Help and keys" onClick={() => { helpOpen.value = true }} />
      </div>
    </header>
  )
}

function hrefOf(name: string): string {
  return `#/${name}`
}

const themeWords: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: 'As the system', icon: 'system' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
}

function ThemeMenu() {
  const now = theme.value
  const items = themes.map((one) => ({ ...themeWords[one], checked: one === now, onChoose: () => chooseTheme(one) }))
  return <Menu label="Light or dark" icon={themeWords[now].icon} iconOnly items={items} />
}

/** Four pieces that fill a square, as on the icon of the page. */
function Mark() {
  return (
    <svg class="header-mark" viewBox="0 0 32 32" aria-hidden="true">
      <path class="header-mark-1" d="M2 2h18v9H11v9H2z" />
      <path class="header-mark-2" d="M20 2h10v18h-9v-9h-1z" />
      <path class="header-mark-3" d="M2 20h9v-9h10v9h-1v10H2z" />
      <path class="header-mark-4" d="M20 20h10v10H20z" />
    </svg>
  )
}
