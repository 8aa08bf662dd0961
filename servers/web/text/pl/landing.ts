import type { Texts } from '../en.ts';

export const landing: Texts['landing'] = {
  proved: 'Potwierdzono. Możesz kontynuować.',
  toSignIn: 'Przejdź do logowania',
  emailNeeded: 'Podaj adres e-mail. Wyślemy na niego kod potwierdzający.',
  gone: 'Twoje konto zostało usunięte.',
  home: 'Przejdź do strony głównej',
  buying: 'Przetwarzamy Twój zakup.',
  late: 'To trwa dłużej niż zwykle. Twój plan będzie aktywny za minutę lub dwie.',
  bought: 'Twój plan będzie aktywny za kilka sekund. Możesz zamknąć tę stronę.',
  active: (plan) => `Twój plan ${plan} jest aktywny.`,
  back: 'Możesz zamknąć tę stronę albo zobaczyć swój plan.',
};

export const appAuthorization: Texts['appAuthorization'] = {
  as: (place) => `Przejdź do ${place} jako`,
  wrong: 'Ten link jest niekompletny. Wróć do aplikacji i zacznij od nowa.',
};
