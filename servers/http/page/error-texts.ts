import type { Language } from '../../../core/index.ts';
import { LOCALES, type Texts } from './page.ts';

/** The text of an error page: what happened, then what to do. */
export interface ErrorText {
  readonly title: Texts;
  readonly text: Texts;
}

export const UNREADABLE: ErrorText = {
  title: { en: 'That did not work', pl: 'To się nie udało' },
  text: {
    en: 'The request was not understood. Go back and try again.',
    pl: 'Nie udało się odczytać żądania. Wróć i spróbuj ponownie.',
  },
};

/** For an address to which an app sent the browser. */
export const BACK_TO_APP: ErrorText = {
  title: { en: 'That did not work', pl: 'To się nie udało' },
  text: { en: 'Go back to the app and start again.', pl: 'Wróć do aplikacji i zacznij od nowa.' },
};

export const FAILED: ErrorText = {
  title: { en: 'Something went wrong on our side', pl: 'Coś poszło nie tak po naszej stronie' },
  text: {
    en: 'We have logged the error. Try again in a moment.',
    pl: 'Zapisaliśmy ten błąd. Spróbuj ponownie za chwilę.',
  },
};

/** The texts by status; other statuses have `UNREADABLE` or `FAILED`. */
export const ERROR_TEXTS: Readonly<Record<number, ErrorText>> = {
  401: {
    title: { en: 'You are not signed in', pl: 'Wymagane logowanie' },
    text: {
      en: 'Sign in, then open this address again.',
      pl: 'Zaloguj się, a potem otwórz ten adres ponownie.',
    },
  },
  403: {
    title: { en: 'You do not have access', pl: 'Brak dostępu' },
    text: {
      en: 'Your account or browser has no access to this address.',
      pl: 'Twoje konto lub przeglądarka nie ma dostępu do tego adresu.',
    },
  },
  404: {
    title: { en: 'Page not found', pl: 'Nie znaleziono strony' },
    text: {
      en: 'The address may be old or mistyped.',
      pl: 'Adres może być nieaktualny albo zawierać literówkę.',
    },
  },
  405: {
    title: { en: 'This address cannot be opened', pl: 'Tego adresu nie można otworzyć' },
    text: {
      en: 'It is for programs. Go to the start page.',
      pl: 'Jest dla programów. Przejdź do strony głównej.',
    },
  },
  409: {
    title: { en: 'Something changed meanwhile', pl: 'W międzyczasie coś się zmieniło' },
    text: {
      en: 'Load the page again, then repeat what you did.',
      pl: 'Wczytaj stronę ponownie i powtórz czynność.',
    },
  },
  413: {
    title: { en: 'That was too large', pl: 'To było za duże' },
    text: { en: 'Send less data at once.', pl: 'Wyślij mniej danych naraz.' },
  },
  429: {
    title: { en: 'Too many requests', pl: 'Zbyt wiele żądań' },
    text: { en: 'Wait a moment before you continue.', pl: 'Odczekaj chwilę przed kolejną próbą.' },
  },
  503: {
    title: { en: 'Temporarily unavailable', pl: 'Chwilowo niedostępne' },
    text: { en: 'Nothing was changed.', pl: 'Nic nie zostało zmienione.' },
  },
};

export const LABELS = {
  signIn: { en: 'Sign in', pl: 'Zaloguj się' },
  home: { en: 'Start page', pl: 'Strona główna' },
  request: { en: 'Request number', pl: 'Numer żądania' },
} as const satisfies Readonly<Record<string, Texts>>;

/** A time from now, such as `in 40 seconds`, in the largest unit of which it has at least two. */
const timeFromNow = (seconds: number, language: Language): string => {
  const format = new Intl.RelativeTimeFormat(LOCALES[language]);
  if (seconds < 120) return format.format(seconds, 'second');
  if (seconds < 7_200) return format.format(Math.ceil(seconds / 60), 'minute');
  return format.format(Math.ceil(seconds / 3_600), 'hour');
};

/** When to try again, after so many seconds. */
export const tryAgainIn = (seconds: number, language: Language): string =>
  `${language === 'pl' ? 'Spróbuj ponownie' : 'Try again'} ${timeFromNow(seconds, language)}.`;
