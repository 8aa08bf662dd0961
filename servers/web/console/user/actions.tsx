import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { lazyPiece } from '../../kit/load.tsx';
import { Failed } from '../../kit/messages.tsx';
import { self } from '../session.ts';
import type { User } from '../shapes.ts';
import { c } from '../text.ts';
import type { ActionProps } from './action-dialog.tsx';
import { ACTIONS, type Action } from './action-list.ts';

export interface ActionsProps {
  readonly user: User;
  readonly onDone: (user: User) => void;
  readonly onGone: (receipt: object) => void;
  readonly reread: () => Promise<void>;
}

const Buttons = ({
  actions,
  onChoose,
}: {
  readonly actions: readonly Action[];
  readonly onChoose: (action: Action) => void;
}) => {
  const { list } = c().actions;
  return (
    <div class="row actions">
      {actions.map((action) => (
        <Button key={action.name} kind={action.isGrave ? 'danger' : 'plain'} onPress={() => onChoose(action)}>
          {list[action.name].name}
        </Button>
      ))}
    </div>
  );
};

const loadDialog = lazyPiece(() => import('./action-dialog.tsx'));
type Loaded = Awaited<ReturnType<typeof loadDialog>>;

/** The dialog of an action, which is loaded when one is chosen. */
const ChosenAction = (props: ActionProps) => {
  const loaded = useSignal<Loaded | undefined>(undefined);
  const load = async () => {
    loaded.value = await loadDialog();
  };
  useEffect(() => void load(), []);
  if (loaded.value === undefined) return null;
  if (loaded.value.problem !== undefined) return <Failed problem={loaded.value.problem} onRetry={load} />;
  const { ActionDialog } = loaded.value.data;
  return <ActionDialog {...props} />;
};

/** Everything that can be done to a user, in one place. On narrow screens it is folded up. */
export const Actions = (props: ActionsProps) => {
  const openAction = useSignal<Action | null>(null);
  const { actions: texts } = c();
  const fitting = ACTIONS.filter(({ fits }) => fits(props.user));
  const ofFounders = fitting.filter(({ forFounders }) => forFounders);
  const choose = (action: Action) => {
    openAction.value = action;
  };
  return (
    <section class="card" aria-labelledby="actions">
      <details class="sheet" open={matchMedia('(min-width: 720px)').matches}>
        <summary>
          <h2 id="actions">{texts.title}</h2>
        </summary>
        <div class="stack">
          <Buttons actions={fitting.filter(({ forFounders }) => !forFounders)} onChoose={choose} />
          {self.value?.role !== 'founder' || ofFounders.length === 0 ? null : (
            <>
              <h3>{texts.forFounders}</h3>
              <Buttons actions={ofFounders} onChoose={choose} />
            </>
          )}
        </div>
      </details>
      {openAction.value === null ? null : (
        <ChosenAction
          {...props}
          action={openAction.value}
          onClose={() => {
            openAction.value = null;
          }}
        />
      )}
    </section>
  );
};
