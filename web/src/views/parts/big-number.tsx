/**
 * A count of any length: digits in groups of three that wrap, its power of ten, a button that copies it.
 * The gaps between the groups are drawn, not typed: what is selected and copied is the number.
 */
import { aboutPower, groupDigits } from '../../model/numbers'
import { Copy } from './copy'
import './big-number.css'

export interface BigNumberProps {
  /** Decimal digits. */
  value: string
  /** What is counted, behind the number: tilings. */
  what?: string
  /** Small: within a line of text, without a button. */
  inline?: boolean
}

export function BigNumber({ value, what, inline }: BigNumberProps) {
  if (inline) return <Digits value={value} />
  const about = aboutPower(value)
  return (
    <div class={`number number-${sizeOf(value)}`}>
      <p class="number-line"><Digits value={value} />{what && <> <span class="number-what">{what}</span></>}</p>
      <div class="number-about">
        {about && <span>{about}</span>}
        <Copy text={value} label="Copy the number" />
      </div>
    </div>
  )
}

function Digits({ value }: { value: string }) {
  return (
    <span class="number-digits">
      {groupDigits(value, ' ').split(' ').map((group, index) => <span key={index} class="number-group">{group}</span>)}
    </span>
  )
}

/** Long numbers are written smaller. */
function sizeOf(value: string): 'large' | 'middle' | 'small' {
  if (value.length <= 15) return 'large'
  return value.length <= 60 ? 'middle' : 'small'
}
