/** The small picture of a bundled puzzle. It is asked for when it comes near the window. Its card says what it is. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { kindOf, type Bundled } from '../../model/shelf'
import { thumbnail } from '../../state/shelf'
import { CoverPicture } from './cover-picture'
import './thumbnail.css'

export function Thumbnail({ puzzle }: { puzzle: Bundled }) {
  const frame = useRef<HTMLDivElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const cover = kindOf(puzzle) === 'cover'
  useEffect(() => {
    if (cover || !frame.current) return
    const stop = new AbortController()
    const onSeen = (seen: IntersectionObserverEntry[]) => {
      if (!seen.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      void thumbnail(puzzle, stop.signal).then((found) => {
        if (!stop.signal.aborted) setAddress(found)
      })
    }
    const watcher = new IntersectionObserver(onSeen, { rootMargin: '300px' })
    watcher.observe(frame.current)
    return () => {
      watcher.disconnect()
      stop.abort()
    }
  }, [puzzle, cover])
  return (
    <div class="thumbnail" ref={frame}>
      {cover && <CoverPicture name={puzzle.name} />}
      {address && <img class="thumbnail-picture" src={address} alt="" decoding="async" />}
    </div>
  )
}
