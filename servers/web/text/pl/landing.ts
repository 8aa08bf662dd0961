import type { Texts } from '../en.ts';

export const landing: Texts['landing'] = {
  proved: 'Potwierdzono. Możesz kontynuować.',
  toSignIn: 'Przejdź do logowania',
  emailNeeded: 'Podaj adres e-mail. Wyślemy na niego kod.',
  gone: 'Twoje konto zostało usunięte.',
  home: 'Przejdź do strony głównej',
  buying: 'Przetwarzamy Twój zakup.',
  late: 'To trwa dłużej niż zwykle. Twój plan będzie aktywny za minutę lub dwie.',
  bought: 'Twój plan będzie aktywny za kilka sekund. Możesz zamknąć tę stronę.',
  active: (plan) => `Twój plan ${plan} jest aktywny.`,
  activeUnnamed: 'Twój plan jest aktywny.',
  back: 'Możesz zamknąć tę stronę albo zobaczyć swój plan.',
};

export const appAuthorization: Texts['appAuthorization'] = {
  as: (place) => `Przejdź do ${place} jako`,
  wrong: 'Ten link jest niekompletny. Wróć do aplikacji i zacznij od nowa.',
};

export const undo: Texts['undo'] = {
  lead: 'Ktoś inny zmienił Twój adres e-mail? Podaj poprzedni adres i kod, który na niego wysłaliśmy. Wszystkie urządzenia zostaną wylogowane.',
  email: 'Poprzedni adres e-mail',
  button: 'Cofnij zmianę',
  done: 'Przywróciliśmy Twój poprzedni adres e-mail.',
  restored: 'Przywrócono konto, które zostało usunięte.',
  password: 'Usunięto hasło. Zanim się zalogujesz, ustaw nowe.',
  secondFactor: 'Usunięto drugi składnik lub kody zapasowe.',
  passkey: (name) => `Usunięto klucz dostępu: ${name}`,
  identity: (provider) => `Usunięto sposób logowania: ${provider}`,
};
