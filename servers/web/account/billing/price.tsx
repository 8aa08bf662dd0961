import type { AccountsSchemas } from '../../../client/index.ts';
import { shownDate, shownMoney, t } from '../../text/language.ts';

/** A price, with the date of its exchange rate if that is stale. */
export const PriceLine = ({ price }: { readonly price: AccountsSchemas['Price'] }) => {
  const { plan } = t();
  return (
    <>
      <p class="price">
        {shownMoney(price.amount, price.currency)} / {price.interval === 'year' ? plan.year : plan.month}
      </p>
      {price.exchange.stale ? (
        <p class="muted small">{plan.stale(shownDate(price.exchange.effectiveDate))}</p>
      ) : null}
    </>
  );
};
