import type { AccountsSchemas } from '../../client/index.ts';
import { shownDate, shownMoney, t } from '../text/language.ts';

/** What something costs, and from when the rate is if it is an old one. */
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
