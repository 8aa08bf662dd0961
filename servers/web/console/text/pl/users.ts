import type { ConsoleTexts } from '../en.ts';

export const users: ConsoleTexts['users'] = {
  search: 'Adres e-mail zaczyna się od',
  searchHint: 'Naciśnij /, aby wyszukać',
  tier: 'Poziom',
  any: 'Dowolny',
  flags: {
    banned: 'Zablokowane',
    disabled: 'Wyłączone',
    unverified: 'Niepotwierdzone',
    two_factor: 'Weryfikacja dwuetapowa',
    operator: 'Operatorzy',
    premium: 'Premium',
  },
  since: 'Utworzone (UTC)',
  verified: 'Potwierdzone',
  until: (time) => `do ${time} UTC`,
  nobody: 'Nie ma jeszcze użytkowników. Pojawią się tu po rejestracji.',
  nobodyBegins: (prefix) => `Żaden adres e-mail nie zaczyna się od „${prefix}”.`,
  nobodySo: 'Brak użytkowników spełniających te kryteria.',
};
