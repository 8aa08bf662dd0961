import { useSignal } from '@preact/signals';
import { Button } from '../../kit/button.tsx';
import { Pick } from '../../kit/pick.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { go } from '../../router.ts';
import { read } from '../api.ts';
import { asked, List, withQuery } from '../list.tsx';
import { deliveryColumns } from '../mail-columns.tsx';
import { Page } from '../page.tsx';
import { Empty } from '../parts.tsx';
import { type Deed, ReasonDialog } from '../reason-dialog.tsx';
import type { Delivery, DeliveryPage } from '../shapes.ts';
import { c } from '../text.ts';

const STANDINGS = ['pending', 'waiting', 'dead', 'applied', 'ignored'] as const;

interface RowsProps {
  readonly deliveries: readonly Delivery[];
  readonly again: () => Promise<void>;
}

/** A page of deliveries, each of which can be applied again. */
const Rows = ({ deliveries, again }: RowsProps) => {
  const chosen = useSignal<Deed | null>(null);
  const { deliveries: texts, titles } = c();
  const replay: Column<Delivery> = {
    title: texts.replay,
    isAct: true,
    cell: ({ id, type }) => (
      <Button
        kind="link"
        label={`${texts.replay}: ${type ?? ''} ${id}`}
        onPress={() => {
          chosen.value = {
            title: texts.replay,
            effect: texts.replayEffect,
            subject: `${type ?? ''} ${id}`,
            path: `deliveries/${encodeURIComponent(id)}/replay`,
            done: texts.replayed,
          };
        }}
      >
        {texts.replay}
      </Button>
    ),
  };
  return (
    <>
      <Table
        label={titles['/deliveries']}
        columns={[...deliveryColumns(), replay]}
        rows={deliveries}
        keyOf={({ id }) => id}
      />
      {chosen.value === null ? null : (
        <ReasonDialog
          deed={chosen.value}
          onDone={again}
          onClose={() => {
            chosen.value = null;
          }}
        />
      )}
    </>
  );
};

export const Deliveries = () => {
  const { deliveries: texts } = c();
  const standing = asked('standing');
  return (
    <Page lead={texts.lead}>
      <search class="filters">
        <Pick
          name="standing"
          label={texts.standing}
          value={standing}
          options={[['', texts.all], ...STANDINGS.map((one) => [one, texts.standings[one]] as const)]}
          onChange={(one) => go(withQuery({ standing: one }))}
        />
      </search>
      <List<DeliveryPage>
        from={(cursor) => read('deliveries', { standing, cursor })}
        isEmpty={({ deliveries }) => deliveries.length === 0}
        empty={<Empty>{texts.nothing}</Empty>}
      >
        {({ deliveries }, again) => <Rows deliveries={deliveries} again={again} />}
      </List>
    </Page>
  );
};
