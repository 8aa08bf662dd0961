import type { Texts } from '../en.ts';

export const kit: Texts['kit'] = {
  noScript: 'Ta strona wymaga JavaScriptu, wyłącznie z tej witryny. API działa bez niego:',
  show: 'Pokaż',
  hide: 'Ukryj',
  showPassword: 'Pokaż hasło',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  cancel: 'Anuluj',
  save: 'Zapisz',
  saved: 'Zapisano',
  tryAgain: 'Spróbuj ponownie',
  stillWaiting: 'Wciąż czekamy…',
  language: 'Język',
  theme: 'Kolory',
  themes: { system: 'Systemowe', light: 'Jasne', dark: 'Ciemne' },
  connected: 'Połączono',
  signOut: 'Wyloguj się',
  support: 'Pomoc',
  terms: 'Regulamin',
  privacy: 'Prywatność',
  tones: { info: 'Uwaga: ', good: 'Gotowe: ', warn: 'Ostrzeżenie: ', danger: 'Nie udało się: ' },
  signedOut: {
    title: 'Wylogowano Cię',
    text: 'Sesja na tym urządzeniu dobiegła końca.',
    act: 'Zaloguj się ponownie',
  },
};
