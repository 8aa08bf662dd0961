import type { Texts } from '../en.ts';

export const undo: Texts['undo'] = {
  lead: 'Twój e-mail zmienił ktoś inny? Wpisz poprzedni e-mail i kod, który na niego wysłano. Wszystkie urządzenia zostaną wylogowane.',
  email: 'Poprzedni e-mail',
  act: 'Cofnij zmianę',
};

export const ends: Texts['ends'] = {
  proved: 'Potwierdzono. Możesz kontynuować.',
  toSignIn: 'Przejdź do logowania',
  emailNeeded: 'Wpisz swój e-mail. Wyślemy na niego kod, aby potwierdzić, że należy do Ciebie.',
  gone: 'Twoje konto zostało usunięte.',
  home: 'Na początek',
  buying: 'Twój zakup jest w drodze do nas.',
  late: 'Trwa to dłużej niż zwykle. Twój plan będzie aktywny za minutę lub dwie.',
  bought: 'Twój plan będzie aktywny za kilka sekund. Możesz zamknąć tę stronę.',
  active: (plan) => `Twój plan ${plan} jest aktywny.`,
  back: 'Możesz zamknąć tę stronę albo zobaczyć swój plan.',
  toPlan: 'Twój plan',
};

export const handover: Texts['handover'] = {
  as: (place) => `Przejdź do ${place} jako`,
  act: 'Dalej',
  busy: 'Otwieranie…',
  other: 'Użyj innego konta',
  wrong: 'Ten odnośnik jest niepełny. Wróć do aplikacji i zacznij od nowa.',
};
