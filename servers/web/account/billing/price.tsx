import type { AccountsSchemas } from '../../../client/index.ts';
import { Tag } from '../../kit/card.tsx';
import { shownInterval } from '../../text/interval.ts';
import { locale, shownDate, shownMoney, t } from '../../text/language.ts';

type Price = AccountsSchemas['Price'];

/** The dollars that are charged. The price was converted from them, so division by the rate gives them back to the cent. */
const dollarsOf = ({ amount, exchange }: Price) => shownMoney(amount / exchange.rate, 'USD');

export const PriceLine = ({ price }: { readonly price: Price }) => {
  const { plan } = t();
  // A date alone would be midnight in UTC, which west of Greenwich is the day before.
  const rateDay = shownDate(`${price.exchange.effectiveDate}T00:00`);
  return (
    <>
      <p class="price">
        {shownMoney(price.amount, price.currency)} / {shownInterval(price.interval, locale())}
      </p>
      <p class="muted small">{plan.charged(dollarsOf(price), rateDay)}</p>
    </>
  );
};

interface YearlySavingProps {
  readonly month: Price | null | undefined;
  readonly year: Price | null;
}

/** How much less a year costs than twelve months; nothing while a price is unknown. */
export const YearlySaving = ({ month, year }: YearlySavingProps) => {
  if (!month || !year || month.amount * 12 <= year.amount) return null;
  return <Tag tone="good">{t().plan.saving(shownMoney(month.amount * 12 - year.amount, year.currency))}</Tag>;
};
