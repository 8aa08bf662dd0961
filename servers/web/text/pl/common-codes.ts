export const down = 'Usługa jest chwilowo niedostępna. Spróbuj ponownie za chwilę.';
export const unexpected = 'Coś poszło nie tak po naszej stronie. Spróbuj ponownie.';
export const offline = 'Brak połączenia. Sprawdź je i spróbuj ponownie.';

/** The refusals of any call, and the codes that all pages word alike. `{time}` is when a refusal ends. */
export const commonCodes = {
  account_banned: 'To konto jest zablokowane.',
  account_disabled: 'To konto jest wyłączone.',
  busy: down,
  code_required: 'Wpisz kod.',
  contended: down,
  email_differs: 'To nie jest adres e-mail tego konta.',
  email_not_verified: 'Ten adres e-mail nie jest jeszcze potwierdzony.',
  fresh_authentication_needed: 'Najpierw potwierdź, że to Ty.',
  hashing_failed: down,
  invalid_email: 'Podaj adres e-mail, na przykład ada@example.com.',
  invalid_flow: 'Ta operacja wygasła. Zacznij od nowa.',
  invalid_passkey: 'Ten klucz dostępu nie został przyjęty.',
  invalid_request: 'Dane są niepełne lub nieprawidłowe.',
  invalid_token: 'Wylogowano Cię.',
  invalid_two_factor_code: 'Ten kod jest błędny lub został już użyty.',
  kms_unavailable: down,
  no_master_key: down,
  no_passkey: 'Nie masz odpowiedniego klucza dostępu.',
  no_signing_key: down,
  passkey_not_shown: 'Nie użyto klucza dostępu. Spróbuj ponownie albo zaloguj się inaczej.',
  password_required: 'Wpisz swoje hasło.',
  rate_limited: 'Zbyt wiele prób. Spróbuj ponownie po {time}.',
  session_not_found: 'Ta sesja jest już zakończona.',
  store_unavailable: down,
  too_many_at_once: down,
  two_factor_held: 'Zbyt wiele błędnych kodów. Spróbuj ponownie po {time}.',
  wrong_credentials: 'Nieprawidłowy adres e-mail lub hasło.',
  wrong_password: 'To nie jest Twoje obecne hasło.',
};
