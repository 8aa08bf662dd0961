import type { Texts } from '../en.ts';
import { commonCodes, down, offline, unexpected } from './common-codes.ts';

const codes: Texts['problems']['codes'] = {
  ...commonCodes,
  access_denied: 'Logowanie zostało anulowane.',
  provider_error: 'Druga witryna nie mogła Cię zalogować. Spróbuj ponownie albo zaloguj się inaczej.',
  provider_unavailable: 'Druga witryna nie odpowiada. Spróbuj ponownie za chwilę albo zaloguj się inaczej.',
  provider_answer_invalid:
    'Nie udało się zweryfikować odpowiedzi drugiej witryny. Spróbuj ponownie albo zaloguj się inaczej.',
  state_unknown: 'To logowanie rozpoczęto w innej karcie albo wygasło. Zacznij od nowa.',
  account_exists: 'Konto z tym adresem już istnieje. Najpierw się na nie zaloguj.',
  already_verified: 'Ten adres e-mail jest już potwierdzony. Zaloguj się.',
  billing_unavailable: down,
  cookie_needed: 'Aby kontynuować, zaloguj się ponownie w tej przeglądarce.',
  cookie_replaced: 'Aby kontynuować, zaloguj się ponownie w tej przeglądarce.',
  email_change_held: 'Zbyt wiele zmian adresu e-mail. Spróbuj ponownie po {time}.',
  email_taken: 'Konto z tym adresem już istnieje.',
  flow_lost: 'To logowanie wygasło. Zacznij od nowa.',
  headers_too_large: unexpected,
  identity_taken: 'Tego sposobu logowania używa inne konto.',
  invalid_billing_cycle: unexpected,
  invalid_code: 'Ten kod jest błędny lub stracił ważność.',
  invalid_plan: unexpected,
  invalid_return_to: 'Adres aplikacji nie jest zarejestrowany. Wróć do aplikacji i zacznij od nowa.',
  login_held: 'Zbyt wiele błędnych haseł. Spróbuj ponownie po {time} albo zresetuj hasło.',
  one_factor_only: 'Użyj kodu albo klucza dostępu, a nie obu.',
  passkey_not_found: 'Ten klucz dostępu został usunięty.',
  password_not_allowed: 'Hasło zawiera niedozwolone znaki.',
  password_too_common: 'To hasło jest zbyt popularne. Wybierz inne.',
  password_too_long: 'To hasło jest za długie.',
  password_too_short: 'Użyj co najmniej 8 znaków.',
  provider_not_found: unexpected,
  sign_up_closed: 'W ten sposób nie można utworzyć nowego konta.',
  too_many_identities: 'Możesz dodać do 20 sposobów logowania.',
  too_many_uploads: down,
  two_factor_off: 'Weryfikacja dwuetapowa jest wyłączona.',
  two_factor_on: 'Weryfikacja dwuetapowa jest już włączona.',
  uploads_full: down,
  verification_held: 'Zbyt wiele błędnych kodów. Spróbuj ponownie po {time}.',
  wrong_account: 'To logowanie dotyczy innego adresu e-mail.',
  cross_site: unexpected,
};

export const problems: Texts['problems'] = {
  codes,
  unexpected,
  offline,
};
