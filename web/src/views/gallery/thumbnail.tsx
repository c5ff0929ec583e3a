/** The small picture of a bundled puzzle. The page requests it when it comes near the window. The text of its card describes it. */
import { useRef, useState } from 'preact/hooks'
import { kindOf, type Bundled } from '../../model/shelf'
import { thumbnail } from '../../state/shelf'
import { useSeen } from '../parts/use-seen'
import { CoverPicture } from './cover-picture'
import './thumbnail.css'

export function Thumbnail({ puzzle }: { puzzle: Bundled }) {
  const frame = useRef<HTMLDivElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const cover = kindOf(puzzle) === 'cover'
  const onSeen = async (gone: AbortSignal) => {
    const found = await thumbnail(puzzle, gone)
    if (!gone.aborted) setAddress(found)
  }
  useSeen(frame, cover ? null : onSeen, puzzle)
  return (
    <div class="thumbnail" ref={frame}>
      {cover && <CoverPicture name={puzzle.name} />}
      {address && <img class="thumbnail-picture" src={address} alt="" decoding="async" />}
    </div>
  )
}
