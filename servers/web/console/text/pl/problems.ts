import { commonCodes, offline, unexpected } from '../../../text/pl/common-codes.ts';
import type { problems as english } from '../en/problems.ts';

const codes: (typeof english)['codes'] = {
  ...commonCodes,
  already_running: 'To już trwa.',
  already_verified: 'Ten adres e-mail jest już potwierdzony.',
  changed_meanwhile: 'Ktoś inny zmienił to konto. Wczytano je ponownie: sprawdź je i spróbuj jeszcze raz.',
  cookie_needed: 'Zaloguj się ponownie.',
  cookie_replaced: 'Zaloguj się ponownie.',
  event_not_found: 'Tej dostawy już nie ma.',
  internal: unexpected,
  invalid_cursor: 'Ta strona listy wygasła. Wróć na początek.',
  invalid_limit: 'Wpisz liczbę całkowitą.',
  invalid_prefix: 'Wpisz co najmniej dwa znaki.',
  invalid_reason: 'Wpisz powód: od 1 do 500 znaków.',
  invalid_request: 'Ten formularz albo adres zawiera błąd.',
  invalid_time: 'Wybierz dzień.',
  invalid_until: 'Wybierz czas w przyszłości.',
  last_founder:
    'Żaden inny założyciel nie mógłby wejść do konsoli. Najpierw mianuj takiego, który ma włączoną weryfikację dwuetapową.',
  login_held: 'Zbyt wiele błędnych haseł. Spróbuj po {time}.',
  mail_not_found: 'Ten mail już nie czeka.',
  not_found: 'Ta strona nie istnieje.',
  operators_only: 'To nie jest konto operatora albo jego rola nie wystarcza.',
  own_account: 'Nie możesz tego zrobić na własnym koncie. Poproś innego operatora.',
  too_many_code_mails: 'Na ten adres poszło zbyt wiele kodów. Spróbuj po {time}.',
  two_factor_required: 'Operatorzy muszą mieć logowanie dwuetapowe. Najpierw je włącz.',
  unknown_tier: 'Nie ma takiego poziomu.',
  user_not_found: 'Nie ma takiego użytkownika.',
};

export const problems = { codes, unexpected, offline };
