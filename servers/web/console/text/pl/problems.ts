import { commonCodes, offline, unexpected } from '../../../text/pl/common-codes.ts';
import type { problems as english } from '../en/problems.ts';

const codes: (typeof english)['codes'] = {
  ...commonCodes,
  cookie_needed: 'Zaloguj się ponownie.',
  cookie_replaced: 'Zaloguj się ponownie.',
  event_not_found: 'To zdarzenie już nie istnieje.',
  internal: unexpected,
  invalid_cursor: 'Ta strona listy wygasła. Wróć na początek.',
  invalid_prefix: 'Wpisz co najmniej dwa znaki.',
  invalid_reason: 'Podaj powód: od 1 do 500 znaków, bez ukrytych znaków formatowania.',
  invalid_time: 'Wybierz datę.',
  login_held: 'Zbyt wiele błędnych haseł. Spróbuj ponownie po {time}.',
  mail_not_found: 'Ten e-mail nie czeka już na wysłanie.',
  not_found: 'Ta strona nie istnieje.',
  operators_only: 'Nie jesteś operatorem albo Twoja rola nie wystarcza.',
  two_factor_required: 'Operatorzy muszą korzystać z weryfikacji dwuetapowej. Najpierw ją włącz.',
  unknown_tier: 'Nie ma takiego poziomu.',
  user_not_found: 'Nie znaleziono użytkownika.',
};

export const problems = { codes, unexpected, offline };
