import type { Button, ShownCheckout, ShownPortal, ShownSubscription } from '../../core/billing/sandbox.ts';
import type { Language } from '../../core/index.ts';
import { type Html, html } from '../http/page/html.ts';
import { LOCALES, type PageContent, type Texts } from '../http/page/page.ts';

interface PageContext {
  readonly token: string;
  readonly language: Language;
}

const TEXTS = {
  checkout: { en: 'Checkout', pl: 'Zakup' },
  card: { en: 'Card number', pl: 'Numer karty' },
  holder: { en: 'Name on the card', pl: 'Imię i nazwisko na karcie' },
  pay: { en: 'Pay', pl: 'Zapłać' },
  subscribed: {
    en: 'You already have a plan. You were not charged again.',
    pl: 'Masz już plan. Opłata nie została pobrana ponownie.',
  },
  subscriptions: { en: 'Your subscriptions', pl: 'Twoje subskrypcje' },
  none: { en: 'You have no subscriptions yet.', pl: 'Nie masz jeszcze subskrypcji.' },
  back: { en: 'Back to the app', pl: 'Wróć do aplikacji' },
  note: {
    en: 'Test mode: no payment is taken, and any card works.',
    pl: 'Tryb testowy: żadna płatność nie zostanie pobrana, zadziała każda karta.',
  },
} as const satisfies Readonly<Record<string, Texts>>;

const LABELS: Readonly<Record<Button, Texts>> = {
  cancel: { en: 'Cancel', pl: 'Anuluj' },
  resume: { en: 'Resume', pl: 'Wznów' },
  renew: { en: 'Renew', pl: 'Odnów' },
  revoke: { en: 'End now', pl: 'Zakończ teraz' },
};

const price = (
  { amount, cycle }: Pick<ShownSubscription, 'amount' | 'cycle'>,
  language: Language,
): string => {
  const money = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const text = new Intl.NumberFormat(LOCALES[language], money).format(amount / 100);
  const yearly = cycle === 'yearly';
  if (language === 'pl') return `${text} ${yearly ? 'rocznie' : 'miesięcznie'}`;
  return `${text} ${yearly ? 'a year' : 'a month'}`;
};

const day = (time: number, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(time);

const stateOf = ({ live, cancelAtPeriodEnd, periodEnd }: ShownSubscription, language: Language): string => {
  const end = day(periodEnd, language);
  if (language === 'pl') {
    if (!live) return 'Zakończona.';
    return cancelAtPeriodEnd ? `Anulowana, kończy się ${end}.` : `Aktywna, odnowi się ${end}.`;
  }
  if (!live) return 'Ended.';
  return cancelAtPeriodEnd ? `Cancelled, ends on ${end}.` : `Active, renews on ${end}.`;
};

const buttonsOf = ({ live, cancelAtPeriodEnd }: ShownSubscription): readonly Button[] => {
  if (!live) return [];
  return cancelAtPeriodEnd ? ['resume', 'revoke'] : ['cancel', 'renew', 'revoke'];
};

const noteIn = (language: Language) => html`<p class="note">${TEXTS.note[language]}</p>`;

const buttonPart = (
  button: Button,
  subscription: ShownSubscription,
  { token, language }: PageContext,
): Html =>
  html`<form method="post" action="/sandbox/billing/portal/${token}/${subscription.id}/${button}">
<button class="${button === 'revoke' ? 'grave' : 'plain'}" aria-describedby="name-${subscription.id}">${LABELS[button][language]}</button></form>`;

const subscriptionPart = (
  subscription: ShownSubscription,
  context: PageContext,
): Html => html`<section role="group" aria-labelledby="name-${subscription.id}">
<h2 id="name-${subscription.id}">${subscription.name}</h2>
<p>${price(subscription, context.language)}</p>
<p>${stateOf(subscription, context.language)}</p>
<div class="buttons">${buttonsOf(subscription).map((button) => buttonPart(button, subscription, context))}</div>
</section>`;

const paymentForm = ({ token, language }: PageContext): Html =>
  html`<form class="whole" method="post" action="/sandbox/billing/checkout/${token}/pay">
<label>${TEXTS.card[language]}<input name="card" inputmode="numeric" autocomplete="off" value="4242 4242 4242 4242"></label>
<label>${TEXTS.holder[language]}<input name="name" autocomplete="off" value="Ada Lovelace"></label>
<button>${TEXTS.pay[language]}</button>
</form>`;

const linkBack = (returnUrl: string, language: Language): Html =>
  html`<p><a href="${returnUrl}">${TEXTS.back[language]}</a></p>`;

export const checkoutPage = (
  { product, email, isSubscribed, returnUrl }: ShownCheckout,
  context: PageContext,
): PageContent => {
  const { language } = context;
  const subscribed = html`<p>${TEXTS.subscribed[language]}</p>${linkBack(returnUrl, language)}`;
  return {
    language,
    title: TEXTS.checkout[language],
    content: html`<section>
<h1>${product.name}</h1>
<p class="price">${price(product, language)}</p>
<p>${email}</p>
${isSubscribed ? subscribed : paymentForm(context)}
</section>${noteIn(language)}`,
  };
};

export const portalPage = (
  { email, subscriptions, returnUrl }: ShownPortal,
  context: PageContext,
): PageContent => {
  const { language } = context;
  const sections = subscriptions.map((subscription) => subscriptionPart(subscription, context));
  const none = html`<section><p>${TEXTS.none[language]}</p></section>`;
  return {
    language,
    title: TEXTS.subscriptions[language],
    content: html`<h1>${TEXTS.subscriptions[language]}</h1><p>${email}</p>${sections.length === 0 ? none : sections}${linkBack(returnUrl, language)}${noteIn(language)}`,
  };
};
