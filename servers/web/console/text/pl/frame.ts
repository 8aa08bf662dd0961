import { signedOut as ofAccounts } from '../../../text/pl/kit.ts';
import type { ConsoleTexts } from '../en.ts';

export const frame: ConsoleTexts['frame'] = {
  console: 'konsola',
  nav: 'Konsola',
  menu: 'Menu',
  searching: 'Szukamy…',
  newer: '‹ Nowsze',
  older: 'Starsze ›',
  pages: 'Strony listy',
  aPage: '50 na stronie',
  further: 'Szukaj dalej',
  searchedTo: (time) => `Przejrzano wpisy do ${time} i nie znaleziono więcej. Wcześniej mogą być kolejne.`,
  none: '–',
  more: 'Pokaż całość',
  less: 'Zwiń',
  unchanged: 'Nie ma nic do zmiany.',
  refresh: 'Wczytaj ponownie',
  roles: { founder: 'założyciel', dev: 'dev' },
  clearSearch: 'Wyczyść wyszukiwanie',
};

export const reason: ConsoleTexts['reason'] = {
  label: 'Powód',
  hint: 'Zapisywany w dzienniku.',
  count: (length, most) => `${length} z ${most}`,
  busy: 'W toku…',
};

export const signedOut: ConsoleTexts['signedOut'] = {
  ...ofAccounts,
  text: 'Sesja konsoli kończy się po pewnym czasie bez użycia i po kilku godzinach.',
};
