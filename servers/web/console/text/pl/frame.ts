import { signedOut as ofAccounts } from '../../../text/pl/kit.ts';
import type { ConsoleTexts } from '../en.ts';

export const frame: ConsoleTexts['frame'] = {
  console: 'konsola',
  nav: 'Konsola',
  menu: 'Menu',
  searching: 'Wyszukiwanie…',
  previous: '‹ Poprzednia',
  next: 'Następna ›',
  pageEmpty: 'Ta strona listy jest pusta.',
  pages: 'Strony listy',
  aPage: '50 na stronie',
  further: 'Szukaj dalej',
  searchedTo: (time) => `Przeszukano do ${time}. Dalej może być więcej wyników.`,
  account: (email) => `Zalogowano jako ${email}`,
  none: '–',
  quote: (text: string) => `„${text}”`,
  more: 'Pokaż całość',
  less: 'Zwiń',
  unchanged: 'Nic się nie zmieniło',
  refresh: 'Odśwież',
  roles: { founder: 'Założyciel', dev: 'Programista' },
  status: 'Status',
  all: 'Wszystkie',
  find: 'Szukaj',
  clear: 'Wyczyść',
  clearSearch: 'Wyczyść filtry',
};

export const reason: ConsoleTexts['reason'] = {
  label: 'Powód',
  hint: 'Zapisywany w dzienniku.',
  count: (length, most) => `${length} z ${most}`,
  busy: 'W toku…',
};

export const signedOut: ConsoleTexts['signedOut'] = {
  ...ofAccounts,
  text: 'Sesja konsoli kończy się po okresie bezczynności oraz po kilku godzinach.',
};
