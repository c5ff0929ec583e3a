import { expect, test } from 'vitest'
import { groups, powerOfTen } from './digits'

test('digits come in threes from the right', () => {
  expect(groups('5')).toEqual(['5'])
  expect(groups('129168')).toEqual(['129', '168'])
  expect(groups('12988816')).toEqual(['12', '988', '816'])
})

test('a power of ten is rounded to three digits', () => {
  expect(powerOfTen('129168')).toBeNull()
  expect(powerOfTen('12988816')).toEqual({ digits: '1.30', exponent: 7 })
  expect(powerOfTen('99999999')).toEqual({ digits: '1.00', exponent: 8 })
  expect(powerOfTen('9994999')).toEqual({ digits: '9.99', exponent: 6 })
  expect(powerOfTen('1269984011256235834242602753102293934298576249856')).toEqual({ digits: '1.27', exponent: 48 })
})
