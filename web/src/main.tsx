import { render } from 'preact'
import { Shell } from './views/shell/shell'
import './style/base.css'

render(<Shell />, document.getElementById('page')!)
