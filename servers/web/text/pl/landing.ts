import type { Texts } from '../en.ts';

export const undo: Texts['undo'] = {
  lead: 'Twój e-mail zmienił ktoś inny? Wpisz poprzedni e-mail i kod, który na niego wysłano. Wszystkie urządzenia zostaną wylogowane.',
  email: 'Poprzedni e-mail',
  button: 'Cofnij zmianę',
  done: 'Przywrócono Twój poprzedni e-mail.',
  restored: 'Przywrócono konto, które zostało usunięte.',
  password: 'Usunięto hasło. Zanim się zalogujesz, ustaw nowe.',
  secondFactor: 'Usunięto drugi składnik lub kody zapasowe.',
  passkey: (name) => `Usunięto klucz dostępu: ${name}`,
  identity: (provider) => `Usunięto sposób logowania: ${provider}`,
};

export const landing: Texts['landing'] = {
  proved: 'Potwierdzono. Możesz kontynuować.',
  toSignIn: 'Przejdź do logowania',
  toSecurity: 'Wróć do zabezpieczeń',
  emailNeeded: 'Wpisz swój e-mail. Wyślemy na niego kod, aby potwierdzić, że należy do Ciebie.',
  gone: 'Twoje konto zostało usunięte.',
  home: 'Na początek',
  buying: 'Przetwarzamy Twój zakup.',
  late: 'Trwa to dłużej niż zwykle. Twój plan będzie aktywny za minutę lub dwie.',
  bought: 'Twój plan będzie aktywny za kilka sekund. Możesz zamknąć tę stronę.',
  active: (plan) => `Twój plan ${plan} jest aktywny.`,
  back: 'Możesz zamknąć tę stronę albo zobaczyć swój plan.',
  toPlan: 'Twój plan',
};

export const appAuthorization: Texts['appAuthorization'] = {
  as: (place) => `Przejdź do ${place} jako`,
  button: 'Dalej',
  busy: 'Otwieranie…',
  other: 'Użyj innego konta',
  wrong: 'Ten odnośnik jest niepełny. Wróć do aplikacji i zacznij od nowa.',
};
