/** Starts the page: reads the address, then renders the views. */
import { render } from 'preact'
import { keepOffline } from './api/offline'
import { leavePage } from './api/work'
import { catchAll } from './state/caught'
import { startLink } from './state/link'
import { applyTheme } from './state/theme'
import { Shell } from './views/shell/shell'
import './style/base.css'

catchAll()
keepOffline()
startLink()
addEventListener('pagehide', leavePage)
applyTheme(document.documentElement)
const page = document.getElementById('page')
if (page) render(<Shell />, page)
