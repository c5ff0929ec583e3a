/** An address for content that only this page has, such as a picture; '' while there is none. */
import { useEffect, useState } from 'preact/hooks'

export function useAddress(file: Blob | undefined): string {
  const [address, setAddress] = useState('')
  useEffect(() => {
    if (!file) return setAddress('')
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
