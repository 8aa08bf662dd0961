import type { AccountsSchemas } from '../../../client/index.ts';
import { shownDate, shownMoney, t } from '../../text/language.ts';

type Price = AccountsSchemas['Price'];

/** The amount that is charged, from which the price was converted to the cent. */
const dollarsOf = ({ amount, exchange }: Price) => shownMoney(amount / exchange.rate, 'USD');

/** A price, with what is charged and the rate between both. */
export const PriceLine = ({ price }: { readonly price: Price }) => {
  const { plan } = t();
  return (
    <>
      <p class="price">
        {shownMoney(price.amount, price.currency)} / {price.interval === 'year' ? plan.year : plan.month}
      </p>
      <p class="muted small">{plan.charged(dollarsOf(price), shownDate(price.exchange.effectiveDate))}</p>
    </>
  );
};
