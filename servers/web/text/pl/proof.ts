import type { Texts } from '../en.ts';

export const proof: Texts['proof'] = {
  title: 'Potwierdź, że to Ty',
  text: 'Przed tą zmianą potwierdź swoją tożsamość.',
  code: 'Kod z aplikacji uwierzytelniającej albo kod zapasowy',
  none: 'Wyloguj się, zaloguj ponownie i powtórz zmianę.',
  button: 'Potwierdź',
};
