import { useSignal } from '@preact/signals';
import { Button } from '../../kit/button.tsx';
import { Pick } from '../../kit/pick.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { go } from '../../router.ts';
import { read } from '../api.ts';
import { asked, List, withQuery } from '../list.tsx';
import { mailColumns } from '../mail-columns.tsx';
import { Page } from '../page.tsx';
import { Empty } from '../parts.tsx';
import { type Deed, ReasonDialog } from '../reason-dialog.tsx';
import type { Mail, MailPage } from '../shapes.ts';
import { c } from '../text.ts';

const STATES = ['waiting', 'failing', 'dead'] as const;

/** A page of mails, with what can be done to them. */
const Rows = ({ mails, again }: { readonly mails: readonly Mail[]; readonly again: () => Promise<void> }) => {
  const chosen = useSignal<Deed | null>(null);
  const { mails: texts, titles } = c();
  const retry: Column<Mail> = {
    title: texts.retry,
    isAct: true,
    cell: ({ id, to, template }) => (
      <Button
        kind="link"
        label={`${texts.retry}: ${template}, ${to}`}
        onPress={() => {
          chosen.value = {
            title: texts.retry,
            effect: texts.retryEffect,
            subject: `${template}, ${to}`,
            path: `mails/${encodeURIComponent(id)}/retry`,
            done: texts.retried,
          };
        }}
      >
        {texts.retry}
      </Button>
    ),
  };
  return (
    <>
      <Table
        label={titles['/mails']}
        columns={[...mailColumns(), retry]}
        rows={mails}
        keyOf={({ id }) => id}
      />
      <Button
        kind="plain"
        onPress={() => {
          chosen.value = {
            title: texts.retryAll,
            effect: texts.retryAllEffect,
            path: 'mails/retry',
            done: texts.retried,
          };
        }}
      >
        {texts.retryAll}
      </Button>
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

export const Mails = () => {
  const { mails: texts } = c();
  const state = asked('state');
  return (
    <Page>
      <search class="filters">
        <Pick
          name="state"
          label={texts.state}
          value={state}
          options={[['', texts.all], ...STATES.map((one) => [one, texts.states[one]] as const)]}
          onChange={(one) => go(withQuery({ state: one }))}
        />
      </search>
      <List<MailPage>
        from={(cursor) => read('mails', { state, cursor })}
        isEmpty={({ mails }) => mails.length === 0}
        empty={<Empty>{state === '' ? texts.nothing : texts.nothingSo}</Empty>}
      >
        {({ mails }, again) => <Rows mails={mails} again={again} />}
      </List>
    </Page>
  );
};
