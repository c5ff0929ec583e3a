/**
 * A count of any length: its digits in groups of three, its power of ten, and a button that copies it.
 * The gaps between the groups are no characters, so a selection copies the number without gaps.
 */
import { aboutPower, groupDigits } from '../../model/numbers'
import { Copy } from './copy'
import './big-number.css'

export interface BigNumberProps {
  value: string
  /** What is counted, such as tilings: a word behind the number. */
  what?: string
  /** Whether the number stands within a line of text: small, without a button, a very long number only as its power of ten. */
  inline?: boolean
}

export function BigNumber({ value, what, inline }: BigNumberProps) {
  if (inline) return value.length > MOST_INLINE ? <>{aboutPower(value)}</> : <Digits value={value} />
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

const MOST_INLINE = 1000

/** The maximum number of digits shown in groups: a browser needs seconds to lay out more groups. */
const MOST_GROUPED = 10_000

function Digits({ value }: { value: string }) {
  if (value.length > MOST_GROUPED) return <span class="number-digits">{value}</span>
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
