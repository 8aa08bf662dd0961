import { commonCodes, offline, unexpected } from '../../../text/pl/common-codes.ts';
import type { problems as english } from '../en/problems.ts';

const codes: (typeof english)['codes'] = {
  ...commonCodes,
  already_running: 'To działanie jest już w toku.',
  already_verified: 'Ten adres e-mail jest już potwierdzony.',
  changed_meanwhile:
    'Ktoś inny zmienił to konto. Pokazujemy jego aktualny stan: sprawdź go i spróbuj ponownie.',
  cookie_needed: 'Zaloguj się ponownie.',
  cookie_replaced: 'Zaloguj się ponownie.',
  event_not_found: 'To zdarzenie już nie istnieje.',
  internal: unexpected,
  invalid_cursor: 'Ta strona listy wygasła. Wróć na początek.',
  invalid_limit: 'Podaj rozmiar, np. 500 GB lub 1 TB, a liczbę kluczy API jako liczbę całkowitą.',
  invalid_prefix: 'Wpisz co najmniej dwa znaki.',
  invalid_reason: 'Podaj powód: od 1 do 500 znaków.',
  invalid_time: 'Wybierz datę.',
  invalid_until: 'Wybierz czas w przyszłości.',
  last_founder:
    'Żaden inny założyciel nie mógłby zalogować się do konsoli. Najpierw nadaj rolę założyciela osobie z włączoną weryfikacją dwuetapową.',
  login_held: 'Zbyt wiele błędnych haseł. Spróbuj ponownie po {time}.',
  mail_not_found: 'Ten e-mail nie czeka już na wysłanie.',
  not_found: 'Ta strona nie istnieje.',
  operators_only: 'To nie jest konto operatora albo jego rola nie wystarcza.',
  own_account: 'Nie możesz tego zrobić na własnym koncie. Poproś innego operatora.',
  too_many_code_mails: 'Na ten adres wysłano zbyt wiele kodów. Spróbuj ponownie po {time}.',
  two_factor_required: 'Operatorzy muszą korzystać z weryfikacji dwuetapowej. Najpierw ją włącz.',
  unknown_tier: 'Nie ma takiego poziomu.',
  user_not_found: 'Nie znaleziono użytkownika.',
};

export const problems = { codes, unexpected, offline };
