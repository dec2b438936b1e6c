import { useEffect, useState } from 'preact/hooks'

const PHONE = matchMedia('(max-width: 44rem)')

/** Whether the window is as narrow as that of a phone: what has no place moves into a menu. */
export function usePhone(): boolean {
  const [isPhone, setPhone] = useState(PHONE.matches)
  useEffect(() => {
    const look = () => setPhone(PHONE.matches)
    look()
    PHONE.addEventListener('change', look)
    return () => PHONE.removeEventListener('change', look)
  }, [])
  return isPhone
}
